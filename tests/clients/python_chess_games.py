#!/usr/bin/env python3
"""Kujira in the hands of python-chess: handshake, options, a game and an analysis of each small game over UCI.

python_chess_games.py ENGINE VARIANTS.INI

python-chess has no board of these games; this one asks pyffish. Exit status 1: something was not as it has to be.
"""

import functools
import logging
import sys

import chess
import chess.engine
import pyffish

GAMES = ["whaleshogi", "paulowichwhale"]
# Longer games are broken off.
LONGEST = 60


# pyffish takes milliseconds a call.
@functools.lru_cache(1 << 16)
def legal_moves(variant, start, moves):
    return [Move(m) for m in pyffish.legal_moves(variant, start, list(moves))]


class Move(str):
    """A move as python-chess asks for it."""

    def uci(self):
        return str(self)


class Board:
    """As much of chess.Board as chess.engine asks for."""

    uci_variant: str
    chess960 = False

    def __init__(self, start=None, moves=()):
        self.start = start or pyffish.start_fen(self.uci_variant)
        self.move_stack = list(moves)

    @property
    def turn(self):
        return len(self.move_stack) % 2 == 0

    @property
    def legal_moves(self):
        return legal_moves(self.uci_variant, self.start, tuple(self.move_stack))

    def fen(self, **_):
        return pyffish.get_fen(self.uci_variant, self.start, self.move_stack)

    def root(self):
        return type(self)(self.start)

    def copy(self, *, stack=True):
        # Without the moves it would do to begin at this position; so the cache serves.
        return type(self)(self.start, self.move_stack)

    def parse_uci(self, text):
        # python-chess lowers the letters of an answer.
        for m in self.legal_moves:
            if m.lower() == text.lower():
                return m
        raise chess.IllegalMoveError(f"{text} in {self.fen()}")

    def push_uci(self, text):
        self.move_stack.append(self.parse_uci(text))
        return self.move_stack[-1]

    def push(self, m):
        self.move_stack.append(m)

    def pop(self):
        return self.move_stack.pop()


class Raised(logging.Handler):
    """python-chess logs what it cannot read; here that is an error."""

    def emit(self, record):
        raise SystemExit(f"python-chess: {record.getMessage()}")


def check(what, truth):
    if not truth:
        raise SystemExit(f"expected {what}")


def play(engine, board):
    """A game on clocks, in which python-chess checks every move and every line; returns its plies."""
    clock = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.01, black_inc=0.01)
    while board.legal_moves and len(board.move_stack) < LONGEST:
        nodes = chess.engine.Limit(nodes=200)
        limit = clock if len(board.move_stack) % 20 < 2 else nodes
        result = engine.play(board, limit, game=board, info=chess.engine.INFO_ALL, ponder=True)
        if result.move is None:
            raise SystemExit(f"no move in {board.fen()}")
        check("no error", not result.info.get("string", "").startswith("error"))
        board.push(result.move)
    if not board.legal_moves:
        check("no move where there is none", engine.play(board, clock).move is None)
    return len(board.move_stack)


def main():
    command, variants = sys.argv[1:]
    with open(variants, encoding="utf-8") as file:
        pyffish.load_variant_config(file.read())
    chess.engine.LOGGER.addHandler(Raised(logging.ERROR))
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        check("Kujira", engine.id["name"].startswith("Kujira "))
        check("both games", engine.options["UCI_Variant"].var == GAMES)
        engine.configure({"Hash": 16, "Move Overhead": 50, "UCI_ShowWDL": True, "Clear Hash": None})
        engine.ping()
        for game in GAMES:
            board = type("Board", (Board,), {"uci_variant": game})()
            lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
            check("three lines", [line["multipv"] for line in lines] == [1, 2, 3])
            for line in lines:
                check("chances that fit", sum(line["wdl"].white()) == 1000 and line["pv"])
            chosen = board.legal_moves[2:3]
            best = engine.analyse(board, chess.engine.Limit(depth=4), root_moves=chosen)["pv"][0]
            check(f"{chosen}", [best] == chosen)
            print(f"python-chess {chess.__version__}: {game}: {play(engine, board)} plies", flush=True)
        try:
            engine.play(chess.Board(), chess.engine.Limit(nodes=1))
        except chess.engine.EngineError:
            pass
        else:
            raise SystemExit("expected python-chess to find that chess is not played")


if __name__ == "__main__":
    main()
