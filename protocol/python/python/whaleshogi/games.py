"""Files of games: read as a stream, and as tables."""

from __future__ import annotations

import gzip
import io
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from whaleshogi._native import Game, GameReader, format_of
from whaleshogi.errors import KujiraError

if TYPE_CHECKING:
    from whaleshogi._native import _GameName

FileFormat = Literal["usi", "jsonl", "pgn", "hodges"]

#: How much of a file is looked at to tell its format.
_LOOK = 4096


def _sniffed(file: io.BufferedReader) -> str:
    """The format of what a file begins with."""
    start = file.peek(_LOOK)[:_LOOK].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        return "jsonl"
    lines = (line.strip() for line in start.splitlines())
    first = next((line for line in lines if line and line[0] not in "#;%"), "")
    is_usi = first.startswith(("startpos", "sfen", "position")) or "/" in first.split(" ")[0] != "1/2-1/2"
    return "usi" if is_usi and not first.startswith("[") else "pgn"


def _opened(source: str | PathLike[str] | bytes) -> tuple[io.BufferedReader, str | None]:
    """A file, and the format that its name tells."""
    if isinstance(source, bytes):
        return io.BufferedReader(io.BytesIO(source)), None
    path = Path(source)
    if path.suffix.lower() == ".gz":
        return io.BufferedReader(gzip.open(path, "rb")), format_of(path.with_suffix(""))
    return path.open("rb"), format_of(path)


def read(
    source: str | PathLike[str] | bytes,
    *,
    format: FileFormat | None = None,
    game: _GameName | None = None,
    errors: Literal["raise", "skip", "warn"] = "raise",
) -> Iterator[Game]:
    """Reads games one after the other, of files of any size: no more than one is in memory.

    ``source`` is the path of a file (``.gz``, too), or the content of one as bytes. ``format`` is told by the name of
    the file, or by its beginning, if it is not given. ``game`` is the game to try first where a text does not name it.
    A faulty game raises ``KujiraError`` with file, line and move; ``errors`` says whether to go on with the next. A file
    that cannot be read, or is no gzip, raises ``OSError``, whatever ``errors`` says.
    """
    if errors not in ("raise", "skip", "warn"):
        raise KujiraError(f"expected one of raise, skip, warn, found {errors!r}")
    file, told = _opened(source)
    name = None if isinstance(source, bytes) else str(Path(source))
    games = _games(file, format or told, game, name, errors)
    next(games)
    return games


@contextmanager
def _named(name: str | None) -> Iterator[None]:
    """Says of which file it is that it cannot be read."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(f"{name}: {error}") from error


def _games(
    file: io.BufferedReader, format: str | None, game_: _GameName | None, name: str | None, errors: str
) -> Iterator[Any]:
    with file:
        with _named(name):
            reader = GameReader(file, format or _sniffed(file), game_, name)
        # It has begun: so it closes the file wherever it ends, before the first game, too.
        yield
        while True:
            try:
                with _named(name):
                    game = next(reader, None)
                if game is None:
                    return
                yield game
            except KujiraError as error:
                if errors == "raise":
                    raise
                if errors == "warn":
                    warnings.warn(str(error), stacklevel=2)


def _row(number: int, game: Game) -> dict[str, Any]:
    black, white = game.players
    return {
        **game.headers,
        "game": number,
        "variant": game.game,
        "black": black,
        "white": white,
        "result": game.result,
        "winner": game.winner,
        "reason": game.reason,
        "plies": len(game),
        "start": game.root.board().sfen,
    }


def _plies(number: int, game: Game) -> Iterator[dict[str, Any]]:
    for ply, (node, board) in enumerate(zip(game.mainline(), game.boards(), strict=False), start=1):
        score = node.score
        yield {
            "game": number,
            "ply": ply,
            "turn": board.turn,
            "move": str(node.move),
            "western": board.write(str(node.move)),
            "cp": None if score is None else score.cp,
            "mate": None if score is None else score.mate,
            "depth": node.depth,
            "clock": node.clock,
            "spent": node.spent,
            "comment": node.comment,
        }


def to_frame(games: Iterable[Game], per: Literal["game", "ply"] = "game") -> Any:
    """A ``pandas.DataFrame`` with a row for each game, or for each ply of each main line. Scores are as Black sees them.

    Headers of games are columns, too; one that is named as a column of the table stands in ``Game.headers`` alone.
    """
    if per not in ("game", "ply"):
        raise KujiraError(f"expected one of game, ply, found {per!r}")
    import pandas

    if per == "game":
        return pandas.DataFrame([_row(number, game) for number, game in enumerate(games)])
    return pandas.DataFrame([row for number, game in enumerate(games) for row in _plies(number, game)])
