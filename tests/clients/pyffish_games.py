#!/usr/bin/env python3
"""Games of an engine over UCI, every move and every line it tells judged by Fairy-Stockfish's rules (pyffish).

pyffish_games.py ENGINE VARIANTS.INI [GAMES [SEED]]

Plays GAMES games a variant (200), in which a random player begins and then comes in now and then: so moves that
are legal to Fairy-Stockfish alone come up, and the engine has to go on behind them. Exit status 1: the engine did
something that it may not.
"""

import functools
import random
import subprocess
import sys
import time

import pyffish

# Positions in which the rules differ that random games hardly ever meet: only a drop that our rules forbid parries the
# check; a dolphin's retreat would mate, and lose.
SPECIAL = {
    "whaleshogi": ["w4+D/4kk/6/6/5W/5D[D] w 0 1", "w+D4/6/1K4/6/6/5W[] w 0 1"],
    "paulowichwhale": ["w5+D/5kk/7/7/7/6W/6D[D] w 0 1", "w+D5/7/1K5/7/7/7/6W[] w 0 1"],
}
# Longer games are broken off.
LONGEST = 160
# Seconds after which an engine that does not leave is given up.
PATIENCE = 60


# pyffish takes milliseconds a call, and lines of one game begin alike.
@functools.lru_cache(1 << 16)
def legal_moves(variant, start, moves):
    """The moves that are legal behind others."""
    return pyffish.legal_moves(variant, start, list(moves))


class Engine:
    """An engine's process, spoken to in UCI."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.greeting = self.until("uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """The lines up to the one that begins with a word."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended where {word} was expected, behind {lines[-3:]}")
            lines.append(line.rstrip("\n"))
            if lines[-1].split(" ")[0] == word:
                return lines

    def search(self, position):
        """What a search of a position tells, with its answer."""
        self.send(f"position {position}")
        self.send("go nodes 300")
        return self.until("bestmove")

    def quit(self):
        self.send("quit")
        return self.process.wait(PATIENCE)


class Judge:
    """What a variant's games came to."""

    def __init__(self, variant):
        self.variant = variant
        self.start = pyffish.start_fen(variant)
        self.moves = ()
        self.counts = dict.fromkeys(
            ["games", "plies", "moves", "lines", "line moves", "foreign moves", "retreats", "drops", "mates"], 0
        )

    def begin(self, start):
        self.start, self.moves = start, ()

    def position(self):
        """What follows the word position."""
        return f"fen {self.start} moves {' '.join(self.moves)}".removesuffix(" moves ")

    def fail(self, what):
        raise SystemExit(f"{self.variant}: {what}\nposition {self.position()}")

    def legal(self):
        return legal_moves(self.variant, self.start, self.moves)

    def check_line(self, line):
        """Every move of a line of play has to be legal."""
        here = self.moves
        for m in line:
            if m not in legal_moves(self.variant, self.start, here):
                self.fail(f"{m} of the line {' '.join(line)} is not legal")
            here = (*here, m)
            self.counts["line moves"] += 1
        self.counts["lines"] += 1

    def ask(self, engine):
        """The engine's move, judged."""
        lines = engine.search(self.position())
        for line in lines:
            if line.startswith("info string error"):
                self.fail(line)
            if line.startswith("info string move "):
                self.counts["foreign moves"] += 1
            if " pv " in line:
                self.check_line(line.split(" pv ")[1].split(" "))
        words = lines[-1].split(" ")
        if words[1] not in self.legal():
            self.fail(f"{lines[-1]} is not legal")
        if len(words) > 2:
            self.check_line([words[1], words[3]])
        self.counts["moves"] += 1
        return words[1]

    def make(self, m, by_chance=False):
        """Makes a move. One that mates as it may not wins for the side that is mated."""
        others = len(self.legal()) > 1
        self.moves = (*self.moves, m)
        self.counts["plies"] += 1
        self.counts["retreats"] += m.endswith("-")
        self.counts["drops"] += "@" in m
        if others and not by_chance and not self.legal():
            if pyffish.game_result(self.variant, self.start, list(self.moves)) > 0:
                self.fail("the engine mated as it may not, though it had another move")

    def play(self, engine, chance):
        """One game."""
        engine.send("ucinewgame")
        self.begin(pyffish.start_fen(self.variant))
        opening = chance.randrange(2, 10)
        while (legal := self.legal()) and len(self.moves) < LONGEST:
            by_chance = len(self.moves) < opening or chance.random() < 0.15
            self.make(chance.choice(legal) if by_chance else self.ask(engine), by_chance)
        if not legal:
            last = engine.search(self.position())[-1]
            if last != "bestmove (none)":
                self.fail(f"expected bestmove (none), found {last}")
            self.counts["mates"] += 1
        self.counts["games"] += 1


def main():
    command, variants = sys.argv[1:3]
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with open(variants, encoding="utf-8") as file:
        pyffish.load_variant_config(file.read())
    engine = Engine(command)
    engine.send("setoption name Hash value 1")
    engine.send("setoption name Ponder value true")
    for variant, special in SPECIAL.items():
        judge, chance, begun = Judge(variant), random.Random(seed), time.monotonic()
        engine.send(f"setoption name UCI_Variant value {variant}")
        for start in special:
            judge.begin(start)
            judge.make(judge.ask(engine))
        for _ in range(games):
            judge.play(engine, chance)
        told = ", ".join(f"{count} {what}" for what, count in judge.counts.items())
        print(f"pyffish: {variant}: {told}; {time.monotonic() - begun:.0f} s", flush=True)
    status = engine.quit()
    if status != 0:
        raise SystemExit(f"the engine ended with exit status {status}")


if __name__ == "__main__":
    main()
