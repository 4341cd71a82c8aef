"""Rules, notation, search, games and data of the whale shogi family.

>>> import whaleshogi
>>> board = whaleshogi.Board("whale")
>>> board.push("2e2d")
Move('2e2d')
>>> board.write("4b4c")
'D-c4'
"""

from __future__ import annotations

from collections.abc import Sequence as _Sequence
from typing import Final, Literal

from whaleshogi import data, encode, env
from whaleshogi._native import (
    ENCODING,
    GAMES,
    LEVELS,
    Analysis,
    Board,
    Dataset,
    Engine,
    Game,
    Kind,
    Line,
    Mate,
    Move,
    MoveList,
    Node,
    Review,
    Rules,
    Score,
    Search,
    Spec,
    VectorBoards,
    __version__,
    kind,
    spec,
)
from whaleshogi.errors import IllegalMoveError, KujiraError, SfenError
from whaleshogi.games import read, to_frame
from whaleshogi.outcome import Outcome, Turn
from whaleshogi.usi import UsiEngine

GameName = Literal["whale", "paulowich", "great"]
Notation = Literal["usi", "western", "japanese"]

BLACK: Final = "black"
WHITE: Final = "white"

_Sequence.register(MoveList)
_Sequence.register(Analysis)

__all__ = [
    "BLACK",
    "ENCODING",
    "GAMES",
    "LEVELS",
    "WHITE",
    "Analysis",
    "Board",
    "Dataset",
    "Engine",
    "Game",
    "GameName",
    "IllegalMoveError",
    "Kind",
    "KujiraError",
    "Line",
    "Mate",
    "Move",
    "MoveList",
    "Node",
    "Notation",
    "Outcome",
    "Review",
    "Rules",
    "Score",
    "Search",
    "SfenError",
    "Spec",
    "Turn",
    "UsiEngine",
    "VectorBoards",
    "__version__",
    "data",
    "encode",
    "env",
    "kind",
    "read",
    "spec",
    "to_frame",
]
