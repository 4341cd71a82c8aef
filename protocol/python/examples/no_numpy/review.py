"""As in a notebook: plays a game, reviews it, draws its chart."""

from __future__ import annotations

import sys
from pathlib import Path

from whaleshogi import Board, Engine, Game

with Engine("whale") as engine:
    board = Board("whale")
    for _ in range(16):
        best = engine.search(board, nodes=300).best
        if best is None:
            break
        board.push(best)
    game = Game(board, black="Kujira", white="Kujira")
    review = game.review(engine, nodes=500)
    review.annotate()
    analysis = engine.search(board, nodes=2000, lines=3)

for row in analysis.table():
    print(row["score"], row["line"])
print(review, game.write("pgn"))
page = f"{game._repr_html_()}{review._repr_svg_()}{analysis._repr_html_()}"
assert page.count("<svg") == 4
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(f"<!doctype html><meta charset=utf-8>{page}", encoding="utf-8")
