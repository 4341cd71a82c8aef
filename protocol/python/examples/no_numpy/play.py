"""Plays a game between two levels, with nothing but the package itself."""

from __future__ import annotations

from whaleshogi import Board, Engine, Game

with Engine("whale", level=2) as one, Engine("whale", level=4) as other:
    board = Board("whale")
    while board.outcome is None and len(board.stack) < 60:
        engine = one if board.turn == "black" else other
        m = engine.play(board, nodes=500)
        if m is None:
            break
        board.push(m)

game = Game(board, black="level 2", white="level 4")
print(board)
print(board.outcome)
print(game.write("hodges", squares="western"))
