"""How fast the package is, beside pyffish and python-chess where they are installed.

    speed.py [VARIANTS.INI [SECONDS]]

VARIANTS.INI tells pyffish the rules of Whale Shogi. Each figure is the median of five spans of so many seconds (0.2).
"""

from __future__ import annotations

import importlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import whaleshogi
from whaleshogi import Board, VectorBoards, data

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0.2


def rate(work: Callable[[], int]) -> float:
    """Of what `work` counts, a second."""
    work()
    rates = []
    for _ in range(5):
        done, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            done += work()
        rates.append(done / (time.perf_counter() - begun))
    return statistics.median(rates)


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def tell(what: str, found: float, unit: str, base: float | None = None) -> None:
    beside = f", {found / base:,.0f} times" if base else ""
    print(f"{what}: {found:,.0f} {unit}/s{beside}", flush=True)


def lists() -> None:
    boards = [Board.random("whale", (4, 60), seed=seed) for seed in range(100)]
    base = None
    pyffish, variants = optional("pyffish"), sys.argv[1] if len(sys.argv) > 1 else None
    if pyffish is not None and variants is not None:
        pyffish.load_variant_config(Path(variants).read_text())
        start = pyffish.start_fen("whaleshogi")
        fens = [pyffish.get_fen("whaleshogi", start, known(pyffish, board)) for board in boards]
        base = rate(lambda: sum(bool(pyffish.legal_moves("whaleshogi", fen, [])) for fen in fens))
        tell("pyffish, legal_moves of a FEN", base, "lists")
    ways: dict[str, Callable[[Board], Any]] = {
        "integers": lambda board: board.legal_moves.ints,
        "texts": lambda board: board.legal_moves.usi,
        "objects": lambda board: list(board.legal_moves),
    }
    for what, way in ways.items():
        tell(f"legal_moves as {what}", rate(lambda way=way: sum(len(way(board)) > 0 for board in boards)), "lists", base)  # type: ignore[misc]
    chess = optional("chess")
    if chess is not None:
        board = chess.Board()
        tell("python-chess, list(legal_moves) of chess", rate(lambda: bool(list(board.legal_moves))), "lists")


def known(pyffish: Any, board: Board) -> list[str]:
    """The moves that led to a board as Fairy-Stockfish spells them, up to the first that its rules lack."""
    start: str = pyffish.start_fen("whaleshogi")
    moves: list[str] = []

    def square(text: str) -> str:
        return f"{chr(ord('a') + 6 - int(text[0]))}{ord('f') - ord(text[1]) + 1}"

    for m in board.stack:
        ends = square(m.to_square)
        text = f"{m.drop}@{ends}" if m.from_square is None else square(m.from_square) + ends
        # A dolphin on the farthest rank is a piece of its own there.
        found = {text, f"{text}+", f"{text}-"} & set(pyffish.legal_moves("whaleshogi", start, moves))
        if not found:
            break
        moves.append(found.pop())
    return moves


def games() -> None:
    chooser = random.Random(1)

    def loop() -> int:
        board, plies = Board(), 0
        while (moves := board.legal_moves) and plies < 300:
            board.push(moves[chooser.randrange(len(moves))])
            plies += 1
        return plies

    tell("random games, a loop in Python, 6x6", rate(loop), "plies")
    plies = statistics.mean(loop() for _ in range(300))
    seeds = iter(range(10**9))

    def inside() -> int:
        Board().playout(seed=next(seeds), max_plies=300)
        return 1

    tell("random games, playout, 6x6", rate(inside) * plies, "plies")
    for game in whaleshogi.GAMES:
        for threads in (1, 2):
            boards = VectorBoards(game, 1024, threads=threads, seed=1)
            planes, masks = boards.planes(), boards.masks()
            noise = np.random.default_rng(1).random(masks.shape, np.float32)

            spent = []
            for _ in range(20):
                actions = (masks * noise).argmax(axis=1).astype(np.int32)
                begun = time.perf_counter()
                boards.step(actions)
                boards.planes(planes)
                boards.masks(masks)
                spent.append(time.perf_counter() - begun)
            what = f"VectorBoards with planes and masks, {game}, {threads} threads"
            tell(what, 1024 / statistics.median(spent), "positions")


def batches() -> None:
    with tempfile.TemporaryDirectory() as folder:
        dataset = data.generate(Path(folder) / "games.ktd", "whale", games=300, nodes=20, threads=2)
        for what, shuffle in (("", 0), (", shuffled", 20_000)):

            def read(shuffle: int = shuffle) -> int:
                return sum(len(batch["score"]) for batch in dataset.batches(1024, planes=True, shuffle=shuffle))

            tell(f"Dataset.batches with planes{what}, 6x6", rate(read), "positions")


if __name__ == "__main__":
    lists()
    games()
    batches()
