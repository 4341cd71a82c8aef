"""What is raised where a text or a number is not what was expected.

Every message says what was expected and what was found. Unknown names of games, kinds and handicaps raise
``KeyError`` with the choices.
"""

from __future__ import annotations

from collections.abc import Sequence


class KujiraError(ValueError):
    """Something else was expected."""

    #: Where it was found: file, line, column, game and move, as far as they are known.
    place: str | None

    def __init__(self, message: str, place: str | None = None) -> None:
        super().__init__(message)
        self.place = place


class IllegalMoveError(KujiraError):
    """A move that is not legal in the position."""

    #: The legal moves that come nearest.
    candidates: list[str]

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = list(candidates)


class SfenError(KujiraError):
    """A text that is no position of the game."""

    #: Every reason.
    reasons: list[str]

    def __init__(self, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reasons = list(reasons)
