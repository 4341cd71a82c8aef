#!/usr/bin/env python3
"""Games of an engine over UCI, every move and every line it tells judged by Fairy-Stockfish's rules (pyffish).

judge.py ENGINE VARIANTS.INI [GAMES [SEED]]

Plays GAMES games a variant (200), in which a random player begins and then comes in now and then: so moves that
are legal to Fairy-Stockfish alone come up, and the engine has to go on behind them. Then python-chess, if it is there,
does its handshake. Exit status 1: the engine did something that it may not.
"""

import random
import subprocess
import sys
import time

import pyffish

# Longer games are broken off.
LONGEST = 160
# Seconds after which an engine that says nothing is given up.
PATIENCE = 60


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

    def quit(self):
        self.send("quit")
        return self.process.wait(PATIENCE)


class Judge:
    """What a variant's games came to."""

    def __init__(self, variant):
        self.variant = variant
        self.start = pyffish.start_fen(variant)
        self.counts = dict.fromkeys(
            ["games", "moves", "lines", "line moves", "foreign moves", "retreats", "drops", "mates"], 0
        )

    def fail(self, what, fen, moves):
        played = " ".join(moves)
        raise SystemExit(f"{self.variant}: {what}\nin {fen}\nposition startpos moves {played}")

    def check_line(self, line, fen, moves):
        """Every move of a line of play has to be legal."""
        here = fen
        for m in line:
            if m not in pyffish.legal_moves(self.variant, here, []):
                self.fail(f"{m} of the line {' '.join(line)} is not legal", fen, moves)
            here = pyffish.get_fen(self.variant, here, [m])
            self.counts["line moves"] += 1
        self.counts["lines"] += 1

    def answer(self, engine, moves, fen, legal):
        """The engine's move, judged."""
        engine.send(f"position startpos moves {' '.join(moves)}")
        engine.send("go nodes 300")
        lines = engine.until("bestmove")
        for line in lines:
            if line.startswith("info string error"):
                self.fail(line, fen, moves)
            if line.startswith("info string move "):
                self.counts["foreign moves"] += 1
            if " pv " in line:
                self.check_line(line.split(" pv ")[1].split(" "), fen, moves)
        words = lines[-1].split(" ")
        best = words[1]
        if best not in legal:
            self.fail(f"{lines[-1]} is not legal", fen, moves)
        if len(words) > 2:
            self.check_line([best, words[3]], fen, moves)
        return best

    def play(self, engine, chance):
        """One game; returns how it ended."""
        engine.send("ucinewgame")
        moves, fen = [], self.start
        opening = chance.randrange(2, 10)
        while len(moves) < LONGEST:
            legal = pyffish.legal_moves(self.variant, fen, [])
            if not legal:
                # The side to move has lost, or has won because it was mated as it may not be.
                wins = pyffish.game_result(self.variant, before, moves[-1:]) > 0
                if wins and not by_chance and len(pyffish.legal_moves(self.variant, before, [])) > 1:
                    self.fail("the engine mated as it may not, though it had another move", fen, moves)
                engine.send(f"position startpos moves {' '.join(moves)}")
                engine.send("go nodes 300")
                last = engine.until("bestmove")[-1]
                if last != "bestmove (none)":
                    self.fail(f"expected bestmove (none), found {last}", fen, moves)
                self.counts["mates"] += 1
                break
            by_chance = len(moves) < opening or chance.random() < 0.15
            m = chance.choice(legal) if by_chance else self.answer(engine, moves, fen, legal)
            self.counts["retreats"] += m.endswith("-")
            self.counts["drops"] += "@" in m
            self.counts["moves"] += not by_chance
            moves.append(m)
            before, fen = fen, pyffish.get_fen(self.variant, fen, [m])
        self.counts["games"] += 1


def handshake(command):
    """What python-chess does first; games that it does not know it cannot play."""
    try:
        import chess.engine
    except ImportError:
        print("python-chess is not there: its handshake was left out")
        return
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        engine.configure({"Hash": 16, "Move Overhead": 50})
        engine.ping()
        assert engine.id["name"].startswith("Kujira"), engine.id
        games = engine.options["UCI_Variant"].var
        assert games == ["whaleshogi", "paulowichwhale"], games
    print(f"python-chess {chess.__version__}: handshake, options, ping, quit")


def main():
    command, variants = sys.argv[1:3]
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with open(variants, encoding="utf-8") as file:
        pyffish.load_variant_config(file.read())
    engine = Engine(command)
    combo = next(line for line in engine.greeting if "UCI_Variant" in line)
    engine.send("setoption name Hash value 1")
    engine.send("setoption name Ponder value true")
    for variant in [words.strip() for words in combo.split(" var ")[1:]]:
        judge, chance, begun = Judge(variant), random.Random(seed), time.monotonic()
        engine.send(f"setoption name UCI_Variant value {variant}")
        for _ in range(games):
            judge.play(engine, chance)
        told = ", ".join(f"{count} {what}" for what, count in judge.counts.items())
        print(f"{variant}: {told}; {time.monotonic() - begun:.0f} s", flush=True)
    status = engine.quit()
    if status != 0:
        raise SystemExit(f"the engine ended with exit status {status}")
    handshake(command)


if __name__ == "__main__":
    main()
