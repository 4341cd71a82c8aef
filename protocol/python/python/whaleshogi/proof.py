"""``python -m whaleshogi.proof [POSITIONS]``: proves that actions tell moves apart.

All positions up to three plies from the start of each game are looked at, and so many (100,000) of random games and made
of them with full hands and promoted pieces: move, action, move is the identity, and no two legal moves of a position
have the same action.
"""

from __future__ import annotations

import sys

from whaleshogi._native import GAMES, check_actions


def main() -> None:
    """The command."""
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for game in GAMES:
        found, moves = check_actions(game, positions=positions, plies=3)
        print(f"{game}: {moves:,} moves in {found:,} positions, each told apart by its action")


if __name__ == "__main__":
    main()
