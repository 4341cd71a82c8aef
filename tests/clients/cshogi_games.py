#!/usr/bin/env python3
"""Kujira in the hands of cshogi's usi.Engine: introduction, options, games on clocks, ponder, mates.

cshogi_games.py ENGINE

cshogi's board is that of 9x9 shogi: who moves and when a game is over the engine says itself. Exit status 1: something
was not as it has to be.
"""

import importlib.metadata
import sys

from cshogi.usi import Engine
from cshogi.usi.Engine import InfoListener

# Each game and its mate in one.
GAMES = {
    "whale": "5w/3K2/5W/6/6/6 b - 1",
    "paulowich": "6w/4K2/6W/7/7/7/7 b - 1",
    "great": None,
}
# Longer games are broken off.
LONGEST = 60


def check(what, truth, found=""):
    if not truth:
        raise SystemExit(f"expected {what}, found {found}")


class Told:
    """The lines of an engine; an error ends the run."""

    def __init__(self):
        self.lines = []

    def __call__(self, line):
        check("no error", not line.startswith("info string error"), line)
        self.lines.append(line)


def play(engine, told):
    """A game on clocks with ponder; returns its plies."""
    info = InfoListener(listner=told)
    moves = []
    engine.usinewgame(told)
    while len(moves) < LONGEST:
        engine.position(moves, listener=told)
        best, reply = engine.go(btime=1000, wtime=1000, binc=10, winc=10, listener=info.listen())
        if best in ("resign", "win"):
            break
        check("a score and a line that begins with the move", info.pv[0] == best, info.pv)
        check("a number", isinstance(info.score, int), info.score)
        moves.append(best)
        if reply and len(moves) % 10 == 1:
            # The reply is not played: what was pondered is worth nothing.
            engine.position([*moves, reply], listener=told)
            engine.proc.stdin.write(b"go ponder btime 1000 wtime 1000\nstop\n")
            engine.proc.stdin.flush()
            for line in iter(engine.proc.stdout.readline, b""):
                if line.startswith(b"bestmove "):
                    break
            else:
                raise SystemExit("the engine ended where a bestmove was expected")
    engine.gameover("draw", told)
    return len(moves)


def main():
    command = sys.argv[1]
    told = Told()
    engine = Engine(command, connect=False)
    engine.connect(told)
    check("Kujira", engine.name.startswith("Kujira "), engine.name)
    options = engine.usi(told)
    games = next(line for line in options if line.startswith("option name USI_Variant "))
    check("all games", games.split(" var ")[1:] == list(GAMES), games)
    for name, value in [("USI_Hash", 16), ("USI_Ponder", "true"), ("Threads", 1), ("NetworkDelay", 50)]:
        engine.setoption(name, value, told)
    version = importlib.metadata.version("cshogi")
    for game, mate in GAMES.items():
        engine.setoption("USI_Variant", game, told)
        engine.isready(told)
        plies = play(engine, told)
        engine.position(listener=told)
        best, _ = engine.go(nodes=500, listener=told)
        check("a move", best not in ("resign", "win"), best)
        if mate:
            engine.position(sfen=f"sfen {mate}", listener=told)
            found = engine.go_mate(byoyomi=2000, listener=told)
            check("a mate in one", found not in ("nomate", "timeout") and " " not in found, found)
        print(f"cshogi {version}: {game}: {plies} plies", flush=True)
    engine.quit(told)


if __name__ == "__main__":
    main()
