"""Any other engine by USI, with the calls of ``Engine``."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time as clock_
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from whaleshogi._native import Analysis, Board, Line, Listener, Move
from whaleshogi.errors import KujiraError

if TYPE_CHECKING:
    from whaleshogi._native import _GameName

#: Seconds that an engine has to introduce itself, to get ready, and to answer after ``stop``.
PATIENCE = 20.0


class UsiEngine:
    """A program that speaks USI. One search at a time; a context manager.

    ``options`` are set before the first search, ``_`` in their names standing as it is; an engine that offers
    ``USI_Variant`` is told the game. ``RuntimeError`` if the engine ends or does not answer.
    """

    def __init__(self, command: str | Sequence[str], game: _GameName = "whale", **options: str | int | bool) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        self.game: _GameName = game
        self.name = words[0] if words else ""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", errors="replace", bufsize=1
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._introduce(options)
        except BaseException:
            self.close()
            raise

    def _introduce(self, options: dict[str, str | int | bool]) -> None:
        self._send("usi")
        offered = set()
        for line in self._until("usiok"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            if words[:2] == ["option", "name"] and len(words) > 2:
                offered.add(words[2])
        unknown = options.keys() - offered
        if unknown:
            raise KeyError(f"expected options among {', '.join(sorted(offered))}, found {', '.join(sorted(unknown))}")
        if "USI_Variant" in offered:
            self._send(f"setoption name USI_Variant value {self.game}")
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if "\n" in text or "\r" in text:
                raise KujiraError(f"expected the value of an option in one line, found {text!r}")
            self._send(f"setoption name {name} value {text}")
        self._multipv = "MultiPV" in offered
        self._send("isready")
        self._until("readyok")
        self._send("usinewgame")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise RuntimeError(f"expected {self.name} to listen, found it ended") from error

    def _next(self, end: float | None) -> str:
        while True:
            try:
                # Not for ever, so that Ctrl-C is heard.
                line = self._lines.get(timeout=0.05)
                break
            except queue.Empty:
                if end is not None and clock_.monotonic() > end:
                    raise RuntimeError(f"expected an answer of {self.name}, found none in time") from None
        if line is None:
            raise RuntimeError(f"expected an answer of {self.name}, found it ended")
        return line

    def _until(self, word: str) -> list[str]:
        end = clock_.monotonic() + PATIENCE
        heard: list[str] = []
        while not heard or heard[-1] != word:
            heard.append(self._next(end))
        return heard

    def search(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        lines: int = 1,
        moves: str | Iterable[Move | str] = (),
        on_info: Callable[[Line], object] | None = None,
    ) -> Analysis:
        """As ``Engine.search``. Ctrl-C stops the engine and raises ``KeyboardInterrupt``."""
        if board.game != self.game:
            raise KujiraError(f"expected a position of {self.game}, found one of {board.game}")
        limits = {"nodes": nodes, "movetime": None if time is None else int(time * 1000), "depth": depth}
        go = [f"{name} {value}" for name, value in limits.items() if value is not None]
        if not go:
            raise KujiraError("expected a limit: nodes, time or depth, found none")
        if lines != 1 and not self._multipv:
            raise KujiraError(f"expected one line, since {self.name} has no MultiPV, found {lines}")
        chosen = moves.split() if isinstance(moves, str) else list(moves)
        if chosen:
            go.append("searchmoves " + " ".join(board.parse(str(m)).usi for m in chosen))
        start = board.copy()
        while len(start.stack):
            start.pop()
        if self._multipv:
            self._send(f"setoption name MultiPV value {lines}")
        played = " ".join(["moves", *board.stack.usi]) if len(board.stack) else ""
        self._send(f"position sfen {start.sfen} {played}".rstrip())
        self._send("go " + " ".join(go))
        return self._answer(Listener(board), on_info)

    def _answer(self, listener: Listener, on_info: Callable[[Line], object] | None) -> Analysis:
        end: float | None = None
        interrupted: KeyboardInterrupt | None = None
        while True:
            try:
                line = listener.hear(self._next(end))
                if line is not None and on_info is not None and on_info(line) is False:
                    on_info, end = None, clock_.monotonic() + PATIENCE
                    self._send("stop")
            except KeyboardInterrupt as error:
                if interrupted is not None:
                    raise
                interrupted, on_info, end = error, None, clock_.monotonic() + PATIENCE
                self._send("stop")
            found = listener.found
            if found is not None:
                if interrupted is not None:
                    raise interrupted
                return found

    def play(
        self, board: Board, *, nodes: int | None = None, time: float | None = None, depth: int | None = None
    ) -> Move | None:
        """The move that the engine plays; none if it gives up or claims the win."""
        return self.search(board, nodes=nodes, time=time, depth=depth).best

    def new_game(self) -> None:
        """Has the engine forget earlier searches, as far as it does."""
        self._send("usinewgame")

    def close(self) -> None:
        """Ends the engine."""
        if self._process.poll() is None:
            try:
                self._send("quit")
                self._process.wait(2)
            except (RuntimeError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass

    def __enter__(self) -> UsiEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<UsiEngine {self.name!r} for {self.game}>"
