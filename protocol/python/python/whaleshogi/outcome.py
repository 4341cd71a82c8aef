"""How a game ended."""

from __future__ import annotations

from typing import Literal, NamedTuple

Turn = Literal["black", "white"]
#: Those of the rules, and that an opponent of ``env.gym`` gave up.
Reason = Literal["checkmate", "no-moves", "whale-captured", "repetition", "perpetual-check", "impasse", "resignation"]


class Outcome(NamedTuple):
    """The winner, none for a draw, and the reason."""

    winner: Turn | None
    reason: Reason

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """The result as records have it: ``1-0`` says that Black wins, who begins."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner == "black" else "0-1"
