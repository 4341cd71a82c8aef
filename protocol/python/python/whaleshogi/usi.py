"""Any other engine by USI, with the calls of ``Engine``."""

from __future__ import annotations

import math
import operator
import os
import queue
import shlex
import subprocess
import sys
import threading
import time as clock_
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from whaleshogi._native import Analysis, Board, Line, Listener, Move, Rules, spec
from whaleshogi.errors import KujiraError

if TYPE_CHECKING:
    from whaleshogi._native import _GameName

#: Seconds that an engine has to introduce itself, to get ready, and to answer after ``stop``.
PATIENCE = 20.0

#: The greatest number that engines are told: of one that does not fit, they search without end.
MOST = 2**63 - 1


def _count(what: str, given: int) -> int:
    """A number from 1."""
    if not 1 <= operator.index(given) <= MOST:
        raise KujiraError(f"expected {what} from 1 to {MOST}, found {given}")
    return operator.index(given)


class UsiEngine:
    """A program that speaks USI. One search at a time; a context manager.

    ``options`` are set before the first search, ``_`` in their names standing as it is; an engine that offers
    ``USI_Variant`` is told the game, one that offers ``Rule_Impasse`` and the like the rules of each board. One that
    does not offer them is given boards of the usual rules only. ``RuntimeError`` if the engine ends or does not answer,
    ``KujiraError`` for what it says is wrong.
    """

    def __init__(self, command: str | Sequence[str], game: _GameName = "whale", **options: str | int | bool) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise KujiraError("expected the command of an engine, found none")
        self.game: _GameName = spec(game).id
        self.name = words[0]
        self._process_id = os.getpid()
        self._busy = threading.Lock()
        pipe = subprocess.PIPE
        # In a group of its own: Ctrl-C in a terminal is ours, not the engine's.
        self._process = subprocess.Popen(
            words,
            stdin=pipe,
            stdout=pipe,
            text=True,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
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
        offered = self._offered = set[str]()
        for line in self._until("usiok"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            if words[:2] == ["option", "name"] and "type" in words:
                offered.add(" ".join(words[2 : words.index("type")]))
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
        self._send("isready")
        for line in self._until("readyok"):
            self._refuse(line)
        self._send("usinewgame")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _refuse(self, line: str) -> None:
        """Raises what the engine says is wrong."""
        fault = Listener.fault(line)
        if fault is not None:
            raise KujiraError(f"{self.name}: {fault}")

    def _own(self) -> None:
        if os.getpid() != self._process_id:
            raise RuntimeError("expected an engine of this process, found one from before a fork")

    def _send(self, line: str) -> None:
        self._own()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise RuntimeError(f"expected {self.name} to listen, found it ended") from error

    def _next(self, end: float | None) -> str:
        while True:
            self._own()
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

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else may ask meanwhile: each would hear the other's answer."""
        self._own()
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("expected one search at a time, found another in progress")
        try:
            yield
        finally:
            self._busy.release()

    def search(
        self,
        board: Board,
        *,
        nodes: int | None = None,
        time: float | None = None,
        depth: int | None = None,
        lines: int = 1,
        moves: str | Iterable[Move | str] | None = None,
        on_info: Callable[[Line], object] | None = None,
    ) -> Analysis:
        """As ``Engine.search``. Ctrl-C stops the engine and raises ``KeyboardInterrupt``."""
        if board.game != self.game:
            raise KujiraError(f"expected a position of {self.game}, found one of {board.game}")
        go = []
        if nodes is not None:
            go.append(f"nodes {_count('a number of nodes', nodes)}")
        if time is not None:
            if not (math.isfinite(time) and time >= 0):
                raise KujiraError(f"expected a time in seconds, from 0, found {time}")
            go.append(f"movetime {max(1, int(time * 1000))}")
        if depth is not None:
            go.append(f"depth {_count('a depth', depth)}")
        if not go:
            raise KujiraError("expected a limit: nodes, time or depth, found none")
        multipv = "MultiPV" in self._offered
        if _count("a number of lines", lines) != 1 and not multipv:
            raise KujiraError(f"expected one line, since {self.name} has no MultiPV, found {lines}")
        if moves is not None:
            chosen = moves.split() if isinstance(moves, str) else list(moves)
            if not chosen:
                raise KujiraError("expected moves to choose among, found none")
            go.append("searchmoves " + " ".join(board.parse(str(m)).usi for m in chosen))
        start = board.copy()
        while len(start.stack):
            start.pop()
        rules = self._rules(board.rules)
        played = " ".join(["moves", *board.stack.usi]) if len(board.stack) else ""
        with self._alone():
            for name, value in rules:
                self._send(f"setoption name {name} value {value}")
            if multipv:
                self._send(f"setoption name MultiPV value {lines}")
            self._send(f"position sfen {start.sfen} {played}".rstrip())
            return self._answer("go " + " ".join(go), Listener(board), on_info)

    def _rules(self, rules: Rules) -> list[tuple[str, str]]:
        """The options that tell the engine the rules."""
        options = Listener.options(rules)
        unknown = [pair for pair in options if pair[0] not in self._offered and pair not in Listener.options(Rules())]
        if unknown:
            found = ", ".join(f"{name} {value}" for name, value in unknown)
            raise KujiraError(f"expected rules that {self.name} has options for, found {found}")
        return [pair for pair in options if pair[0] in self._offered]

    def _answer(self, go: str, listener: Listener, on_info: Callable[[Line], object] | None) -> Analysis:
        end: float | None = None
        answered = False
        try:
            self._send(go)
            while True:
                text = self._next(end)
                self._refuse(text)
                answered = text.split(" ")[0] == "bestmove"
                line = listener.hear(text)
                if listener.found is not None:
                    return listener.found
                if line is not None and on_info is not None and on_info(line) is False:
                    on_info, end = None, clock_.monotonic() + PATIENCE
                    self._send("stop")
        except BaseException:
            if not answered and os.getpid() == self._process_id:
                self._end(end)
            raise

    def _end(self, told: float | None) -> None:
        """Has the engine end its search, so that the next one does not hear this one's answer; if it does not end, or
        was ``told`` to before, ends the engine."""
        try:
            if told is None:
                told = clock_.monotonic() + PATIENCE
                self._send("stop")
            while self._next(told).split(" ")[0] != "bestmove":
                pass
        except BaseException as error:
            self._process.kill()
            self.close()
            if not isinstance(error, RuntimeError):
                raise

    def play(
        self, board: Board, *, nodes: int | None = None, time: float | None = None, depth: int | None = None
    ) -> Move | None:
        """The move that the engine plays; none if it gives up or claims the win."""
        return self.search(board, nodes=nodes, time=time, depth=depth).best

    def new_game(self) -> None:
        """Has the engine forget earlier searches, as far as it does."""
        with self._alone():
            self._send("usinewgame")

    def close(self) -> None:
        """Ends the engine; after a fork it is the parent's, and goes on."""
        if os.getpid() != self._process_id:
            return
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
