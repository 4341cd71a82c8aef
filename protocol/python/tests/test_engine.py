"""The engine in process: searches, levels, mates, and what ends them."""

from __future__ import annotations

import _thread
import io
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import whaleshogi
from whaleshogi import Board, Engine, KujiraError, Line, Rules, Score
from whaleshogi._native import GameReader

MATE = "5w/3K2/5W/6/6/6 b - 1"
NETWORKS = Path(__file__).resolve().parents[3] / "engine" / "search" / "nets"


def test_a_search_finds_a_mate() -> None:
    board = Board("whale", MATE)
    with Engine() as engine:
        found = engine.search(board, nodes=1000)
    assert str(found.best) == "3b2b" and found.score == Score(mate=1)
    assert (len(found), found[0].bound, found[-1].text()) == (1, "exact", "1. K-e5")
    assert not found.resigns and not found.claims and found.nodes <= 1000 and found.board == board
    rows = found.table("usi")
    assert rows[0]["line"] == "1. 3b2b" and rows[0]["score"] == "+M1"
    for index in (1, -2):
        with pytest.raises(IndexError):
            found[index]


def test_a_search_is_reproducible_and_tells_lines() -> None:
    heard: list[Line] = []
    with Engine() as engine:
        first = engine.search(Board(), nodes=5000, lines=3, on_info=heard.append)
    with Engine() as engine:
        again = engine.search(Board(), nodes=5000, lines=3)
    assert [repr(line) for line in first] == [repr(line) for line in again] and len(first) == 3
    assert first[1:] == tuple(first)[1:] and first[::2] == (first[0], first[2])
    assert first.index(first[2]) == 2 and first.count(first[1]) == 1 and first[1] in first and first[0] != first[1]
    with Engine() as engine, pytest.raises(KujiraError, match="one of the lines"):
        first.index(engine.search(Board(), nodes=10)[0])
    assert {line.rank for line in heard} == {1, 2, 3} and heard[-1].pv
    assert [line.score for line in first] == sorted((line.score for line in first), reverse=True)


def test_moves_to_choose_among() -> None:
    with Engine() as engine:
        found = engine.search(Board(), nodes=500, moves=["D-f3", "1e1d"])
        assert str(found.best) == "1e1d"
        with pytest.raises(whaleshogi.IllegalMoveError):
            engine.search(Board(), nodes=500, moves="2e2c")
        none: tuple[list[str] | str, ...] = ([], "")
        for moves in none:
            for ask in (engine.search, engine.start, engine.play, engine.mate):
                with pytest.raises(KujiraError, match="moves to choose among, found none"):
                    ask(Board(), nodes=500, moves=moves)


def test_what_ends_a_search() -> None:
    calls: list[Line] = []

    def stop(line: Line) -> bool:
        calls.append(line)
        return len(calls) < 3

    def fail(line: Line) -> None:
        raise ZeroDivisionError(str(line))

    with Engine(threads=2) as engine:
        found = engine.search(Board(), depth=60, on_info=stop)
        assert len(calls) == 3 and found.best is not None
        with pytest.raises(ZeroDivisionError):
            engine.search(Board(), depth=60, on_info=fail)
        threading.Timer(0.2, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            engine.search(Board(), depth=100)
        threading.Timer(0.2, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            Board("great").perft(9)
        assert engine.search(Board(), depth=2).best is not None


def test_searches_in_the_background() -> None:
    with Engine("great") as engine:
        board = Board("great")
        search = engine.start(board)
        first = next(iter(search))
        assert first.pv and not search.done
        with pytest.raises(RuntimeError, match="one search at a time"):
            engine.search(board, nodes=10)
        assert search.wait(0.05) is None
        assert search.stop().best in board.legal_moves and search.done
        assert search.stop().best is not None
        found = engine.start(board, nodes=500).wait()
        assert found is not None and found.nodes <= 500
        assert list(engine.start(board, depth=2, lines=2))
        engine.start(board)
    with pytest.raises(RuntimeError, match="an open engine"):
        engine.search(board, nodes=10)


def test_a_search_outlives_its_engine_and_an_engine_its_search() -> None:
    found = Engine().start(Board(), nodes=20_000).wait()
    assert found is not None and found.nodes > 19_000
    with Engine() as engine:
        for _ in range(20):
            search = engine.start(Board())
            del search
            assert engine.evaluate(Board()).cp is not None
        search = engine.start(Board())
        del search
        assert engine.search(Board(), nodes=100).best


def test_a_board_may_change_while_it_is_searched() -> None:
    board, engine = Board("great"), Engine("great")
    kings = Board("whale", "w5/6/6/6/6/5W b - 1", rules=Rules(repetition=False))
    works: list[tuple[Board, Callable[[], object]]] = [
        (board, lambda: engine.search(board, time=0.3)),
        (board, lambda: board.perft(4)),
        (kings, lambda: kings.playout(max_plies=200_000)),
    ]
    for changed, work in works:
        looked = threading.Thread(target=work)
        looked.start()
        while looked.is_alive():
            changed.push(changed.legal_moves[0])
            changed.pop()
        looked.join()


def test_closing_ends_a_mate() -> None:
    # Nothing but checks, for long.
    board = Board("great", f"5,w,5{'/11' * 9}/5,W,5 b BR,BW,HP,RT,br,bw,hp,rt,2s,2h,2p 1")
    heard: list[str] = []

    def look() -> None:
        heard.append(engine.mate(board).status)

    engine = Engine("great")
    mates = threading.Thread(target=look)
    mates.start()
    while not heard:
        try:
            engine.evaluate(board)
        except RuntimeError:
            break
    engine.close()
    mates.join()
    assert heard == ["unknown"]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")
def test_after_a_fork(tmp_path: Path) -> None:
    program = """
import os, sys
import whaleshogi
whaleshogi.data.generate(sys.argv[1] + "/a.ktd", games=2, nodes=20, threads=2)
engine, games = whaleshogi.Engine(threads=2), whaleshogi.VectorBoards("whale", 200, threads=2)
before = games.masks().sum()
if os.fork() == 0:
    assert games.masks().sum() == before
    try:
        engine.search(whaleshogi.Board(), nodes=10)
    except RuntimeError as error:
        print(error, flush=True)
    engine.close()
    whaleshogi.data.generate(sys.argv[1] + "/b.ktd", games=2, nodes=20, threads=2)
    with whaleshogi.Engine(threads=2, hash=20) as own:
        own.new_game()
        assert own.search(whaleshogi.Board(), nodes=10).best
    os._exit(0)
assert os.wait()[1] == 0 and engine.search(whaleshogi.Board(), nodes=10).best
"""
    ran = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, "expected an engine of this process, found one from before a fork\n")


@pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")
def test_a_search_does_not_go_on_after_a_fork() -> None:
    """What would wait for a thread that stayed behind says so, and what ends an engine does nothing."""
    program = """
import os
import whaleshogi
board = whaleshogi.Board("great")
engine = whaleshogi.Engine("great", threads=2)
search = engine.start(board)
next(search)
if os.fork() == 0:
    for ask in (search.stop, search.wait, lambda: next(search), lambda: search.done):
        try:
            ask()
        except RuntimeError as error:
            print(error, flush=True)
    with engine:
        pass
    engine.close()
    del search, engine
    os._exit(0)
assert os.wait()[1] == 0 and not search.done and search.stop().best
parent = os.getpid()
try:
    engine.search(board, depth=60, on_info=lambda line: os.getpid() == parent and os.fork() and False)
except RuntimeError:
    os._exit(0 if os.getpid() != parent else 1)
assert os.wait()[1] == 0
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    found = "expected a search of this process, found one from before a fork\n"
    assert (ran.returncode, ran.stdout) == (0, 4 * found), ran.stderr


def test_what_is_in_use_says_so(tmp_path: Path) -> None:
    """A file that asks its own reader for the next game: what PyO3 calls `Already borrowed`."""
    heard: list[str] = []

    class Nosy(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            try:
                next(reader)
            except RuntimeError as error:
                heard.append(str(error))
            return super().read(size)

    reader = GameReader(Nosy(b"startpos moves 2e2d"), "usi")
    assert len(list(reader)) == 1
    assert heard and all(text.startswith("expected an object that nothing uses now") for text in heard)


def test_a_policy_may_change_its_board() -> None:
    board = Board()

    def policy(copy: Board) -> whaleshogi.Move:
        if board.ply < 3:
            board.push(board.legal_moves[0])
        return copy.legal_moves[0]

    board.playout(policy=policy, max_plies=5)
    assert board.ply == 3


@pytest.mark.parametrize(
    "work",
    [
        lambda: Board("great").perft(9),
        lambda: Board.random("great", 100_000),
        lambda: Board("whale", "w5/6/6/6/6/5W b - 1", rules=Rules(repetition=False)).playout(max_plies=2**31),
        lambda: whaleshogi.VectorBoards("great", 100_000, max_plies=999, random_plies=90),
        lambda: whaleshogi.encode.check_actions("great", plies=9),
        lambda: whaleshogi.encode.check_actions("whale", plies=1, positions=10**9),
    ],
)
def test_ctrl_c_is_heard(work: Callable[[], object]) -> None:
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        work()




def test_levels_and_clocks() -> None:
    with Engine(level=1) as weak, Engine(elo=0) as random, Engine() as full:
        board = Board()
        for engine in (weak, random, full):
            assert engine.play(board, nodes=2000, clock=(1.0, 1.0), increment=0.1) in board.legal_moves
        assert full.play(Board("whale", MATE), byoyomi=0.05).usi == "3b2b"  # type: ignore[union-attr]
    assert len(whaleshogi.LEVELS) == 10


def test_evaluations() -> None:
    board = Board("whale", "w5/6/6/6/6/5W b KG 1")
    with Engine() as engine:
        score = engine.evaluate(board)
        assert score.cp is not None and score.cp > 0 and score == engine.evaluate(board.turned())
        assert engine.evaluate_batch([board, board.turned()]).tolist() == [score.cp, score.cp]
        assert f"eval {score.cp} for Black" in engine.explain(board)
        with pytest.raises(KujiraError, match="expected a position of whale, found one of great"):
            engine.evaluate(Board("great"))
        engine.new_game()


def test_mates() -> None:
    with Engine() as engine:
        proved = engine.mate(Board("whale", MATE))
        assert proved and (proved.status, proved.plies, proved.shortest) == ("proved", 1, True)
        assert [m.usi for m in proved.line] == ["3b2b"]
        refuted = engine.mate(Board())
        assert not refuted and (refuted.status, refuted.plies, refuted.line) == ("refuted", None, [])
        rich = Board("whale", "w5/6/6/6/6/5W b KGNBHD 1")
        unknown = engine.mate(rich, nodes=1)
        assert not unknown and unknown.status == "unknown"


def test_networks() -> None:
    file = NETWORKS / "whale.net"
    for network in (file, str(file), file.read_bytes()):
        with Engine(network=network) as engine:
            assert engine.search(Board(), nodes=100).best
    with pytest.raises(FileNotFoundError, match="nothing.net"):
        Engine(network="/nothing.net")
    with pytest.raises(KujiraError):
        Engine(network=b"no network")
    with pytest.raises(KujiraError):
        Engine("great", network=file)


def test_scores() -> None:
    order = [Score(mate=-1), Score(mate=-4), Score(cp=-30), Score(cp=0), Score(cp=90), Score(mate=5), Score(mate=3)]
    assert sorted(order[::-1]) == order
    assert -Score(cp=30) == Score(cp=-30) and str(Score(mate=-4)) == "-M4" and str(Score(cp=83)) == "+0.83"
    assert Score(cp=0).expected("whale") == 0.5 and Score(mate=3).expected("great") == 1.0
    assert pickle.loads(pickle.dumps(Score(mate=3))) == Score(mate=3) and hash(Score(cp=1)) == hash(Score(cp=1))
    with pytest.raises(ValueError):
        Score()


@pytest.mark.parametrize(
    "limits",
    [{}, {"increment": 1.0}, {"nodes": 5, "increment": 1.0}, {"byoyomi": -1.0}, {"nodes": 0}, {"nodes": -5}, {"nodes": 2**64}, {"depth": 2**32}, {"time": -1.0}, {"time": float("nan")}, {"clock": (-1.0, 1.0)}, {"nodes": 5, "lines": 0}],
)
def test_limits_that_are_none(limits: dict[str, object]) -> None:
    with Engine() as engine:
        for ask in (engine.search, engine.start) if limits else (engine.search,):
            with pytest.raises(KujiraError):
                ask(Board(), **limits)  # type: ignore[arg-type]


def test_words_for_what_is_wrong() -> None:
    node, games = whaleshogi.Game().root, whaleshogi.VectorBoards("whale", 2)
    with Engine() as engine:
        asks: list[tuple[Callable[[], object], type[Exception], str]] = [
            (lambda: engine.search(Board(), clock=5), TypeError, "a clock as the seconds left to Black and to White, found 5"),  # type: ignore[arg-type]
            (lambda: engine.search(Board(), clock=(1,)), KujiraError, r"to White, found \(1,\)"),  # type: ignore[arg-type]
            (lambda: engine.evaluate_batch([5]), TypeError, r"a sequence of boards, found \[5\]"),  # type: ignore[list-item]
            (lambda: Engine(network=5), TypeError, "a network as bytes or the path of a file, found 5"),  # type: ignore[arg-type]
            (lambda: Board().svg(arrows=[("2e",)]), TypeError, r"arrows as tuples of two squares and.* found \[\('2e',\)\]"),  # type: ignore[list-item]
            (lambda: Board().svg(marks=5), TypeError, "marks as a dict of colors by squares, found 5"),  # type: ignore[arg-type]
            (lambda: Board().svg(last=Board("great").legal_moves[0]), KujiraError, "a move of whale, found one of great"),
            (lambda: Board.random(plies=(1,)), KujiraError, r"the least and the greatest, found \(1,\)"),  # type: ignore[arg-type]
            (lambda: whaleshogi.data.generate("no", games=1, random_plies=(1,)), KujiraError, r"number of plies, found \(1,\)"),  # type: ignore[arg-type]
            (lambda: whaleshogi.Game(5), TypeError, "a Board or the id of a game, found 5"),  # type: ignore[arg-type]
            (lambda: setattr(node, "nags", [256]), KujiraError, r"numbers from 0 to 255, found \[256\]"),
            (lambda: setattr(node, "nags", ["x"]), TypeError, r"numbers from 0 to 255, found \['x'\]"),
            (lambda: games.step(np.zeros((2, 1))), KujiraError, r"found one of float64 in one piece with the shape \[2, 1\]"),  # type: ignore[arg-type]
            (lambda: games.step([1, 2]), KujiraError, "array of int32 with one axis in one piece, found <class 'list'>"),  # type: ignore[arg-type]
            (lambda: games.masks(np.zeros(2)), KujiraError, r"found one of float64 in one piece with the shape \[2\]"),  # type: ignore[arg-type]
            (lambda: whaleshogi.Game().review(engine, nodes=0), KujiraError, "a number of nodes from 1, found 0"),
        ]
        for ask, kind, text in asks:
            with pytest.raises(kind, match=text):
                ask()


@pytest.mark.parametrize("options", [{"level": 0}, {"level": 11}, {"level": 1, "elo": 900}, {"threads": 0}, {"hash": 0}, {"elo": 99_999}])
def test_options_that_are_none(options: dict[str, int]) -> None:
    with pytest.raises(KujiraError):
        Engine(**options)  # type: ignore[arg-type]
    with pytest.raises(MemoryError):
        Engine(hash=1 << 40)
