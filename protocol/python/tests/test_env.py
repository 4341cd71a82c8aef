"""Environments of other frameworks, by their own tests; another engine by USI."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

import whaleshogi
from whaleshogi import Board, KujiraError, Rules, UsiEngine, env

FAKE = textwrap.dedent(
    """
    import sys
    for line in sys.stdin:
        print(line, end="", file=sys.stderr, flush=True)
        words = line.split()
        if words[0] == "usi":
            print("id name fake engine\\noption name MultiPV type spin default 1\\noption name USI_Variant type string")
            print("option name Skill Level type spin default 1\\noption name Rule_Impasse type combo default off")
            print("usiok", flush=True)
        elif words[0] == "setoption" and words[-1] == "77":
            print("info string error setoption: expected less, found 77", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            moves = words[words.index("moves") + 1:] if "moves" in words else []
        elif words[0] == "go":
            print("info depth 3 seldepth 5 multipv 2 score cp -7 nodes 90 pv 1e1d")
            print("info depth 3 seldepth 5 multipv 1 score cp 35 nodes 100 time 12 pv 2e2d 4b4c 9z9z", flush=True)
            if "die" in sys.argv:
                sys.exit(1)
            if "100" not in words and "60" not in words:
                print("bestmove 1a1a" if "wrong" in sys.argv else "bestmove 2e2d ponder 4b4c", flush=True)
        elif words[0] == "stop" and "deaf" not in sys.argv:
            print("bestmove 2e2d", flush=True)
        elif words[0] == "quit":
            break
    """
)


@pytest.fixture
def fake(tmp_path: Path) -> list[str]:
    file = tmp_path / "fake engine.py"
    file.write_text(FAKE)
    return [sys.executable, str(file)]


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_pettingzoo(game: whaleshogi.GameName) -> None:
    test = pytest.importorskip("pettingzoo.test")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test.api_test(env.aec(game, render_mode="ansi", max_plies=60), num_cycles=100)
    games = env.aec(game)
    games.reset(seed=1)
    mover = games.agent_selection
    games.step(0)
    assert games.terminations[mover] and games.rewards[mover] == -1.0


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_gymnasium(game: whaleshogi.GameName) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(env.gym(game, color="white"), skip_render_check=True)
    world = env.gym(game, opponent=lambda board: board.legal_moves[0], render_mode="svg", max_plies=4)
    seen, _ = world.reset(seed=3)
    planes, ranks, files = whaleshogi.spec(game).planes_shape
    assert world.render().startswith("<svg") and seen["observation"].shape == (ranks, files, planes)
    for _ in range(2):
        seen, reward, terminated, truncated, _ = world.step(int(seen["action_mask"].argmax()))
    assert truncated and not terminated and reward == 0.0
    with whaleshogi.Engine(game, level=1) as engine:
        world = env.gym(game, opponent=engine, nodes=50)
        seen, _ = world.reset()
        world.step(int(seen["action_mask"].argmax()))
        assert len(world.board.stack) == 2
    with pytest.raises(KujiraError, match="black, white"):
        env.gym(game, color="red")  # type: ignore[arg-type]
    with pytest.raises(KujiraError, match="ansi, svg"):
        env.gym(game, render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        env.aec("chess")  # type: ignore[arg-type]


def test_open_spiel() -> None:
    """Not in CI: ``pip install open_spiel`` into the environment of the tests, then ``tests/run -k open_spiel``."""
    pyspiel = pytest.importorskip("pyspiel")
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough").playthrough
    for name in env.register_open_spiel():
        game = pyspiel.load_game(f"{name}(max_plies=60)")
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
        assert name in playthrough(f"{name}(max_plies=12)", None)
        state = game.new_initial_state()
        assert state.current_player() == 0 and not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
        assert state.current_player() == 1 and state.clone().board == state.board


def test_another_engine(fake: list[str]) -> None:
    heard: list[whaleshogi.Line] = []
    with UsiEngine(fake, MultiPV=3) as engine:
        assert engine.name == "fake engine"
        found = engine.search(Board(), nodes=10, lines=2, on_info=heard.append)
        assert (str(found.best), str(found.ponder), found.nodes) == ("2e2d", "4b4c", 100)
        assert [line.text("usi") for line in found] == ["1. 2e2d 4b4c", "1. 1e1d"] and len(heard) == 2
        assert engine.search(Board(), depth=100, on_info=lambda line: False).best
        threading.Timer(0.2, __import__("_thread").interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            engine.search(Board(), depth=100)
        assert engine.play(Board(), nodes=5) == found.best
        with pytest.raises(KujiraError, match="a position of whale"):
            engine.search(Board("great"), nodes=1)
        with pytest.raises(KujiraError, match="a limit"):
            engine.search(Board())


def test_one_caller_has_an_engine_at_a_time(fake: list[str]) -> None:
    with UsiEngine(fake) as engine:

        def ask(line: whaleshogi.Line) -> bool:
            with pytest.raises(RuntimeError, match="one search at a time, found another"):
                engine.search(Board(), nodes=1)
            with pytest.raises(RuntimeError, match="one search at a time, found another"):
                engine.new_game()
            return False

        assert engine.search(Board(), depth=100, on_info=ask).best
        with pytest.raises(KujiraError, match="a number of nodes from 1 to 9223372036854775807, found 1000"):
            engine.search(Board(), nodes=10**30)
        child = os.fork()
        if child == 0:
            try:
                engine.search(Board(), nodes=1)
            except RuntimeError as error:
                engine.close()
                os._exit(0 if "of this process" in str(error) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        parent = os.getpid()
        try:
            found = engine.search(Board(), depth=100, on_info=lambda line: os.getpid() == parent and os.fork() and False)
        except RuntimeError:
            os._exit(0 if os.getpid() != parent else 1)
        assert found.best and os.waitstatus_to_exitcode(os.wait()[1]) == 0
        assert engine.search(Board(), nodes=10).best


def test_engines_that_fail(fake: list[str]) -> None:
    with UsiEngine([*fake, "wrong"]) as engine, pytest.raises(KujiraError, match="a legal move of the engine"):
        engine.search(Board(), nodes=1)
    with UsiEngine([*fake, "die"]) as engine, pytest.raises(RuntimeError, match="found it ended"):
        engine.search(Board(), nodes=1)
    with pytest.raises(KeyError, match="MultiPV, Rule_Impasse, Skill Level, USI_Variant"):
        UsiEngine(fake, Strength=3)
    with pytest.raises(KujiraError, match="fake engine: setoption: expected less, found 77"):
        UsiEngine(fake, MultiPV=77)
    with UsiEngine(fake) as engine:
        with pytest.raises(KujiraError, match="fake engine: setoption: expected less, found 77"):
            engine.search(Board(), depth=100, lines=77)
        with pytest.raises(KujiraError, match="moves to choose among, found none"):
            engine.search(Board(), nodes=10, moves=[])
        assert str(engine.play(Board(), nodes=10)) == "2e2d"
    with pytest.raises(OSError):
        UsiEngine("/nothing/engine")
    with pytest.raises(RuntimeError, match="found it ended"):
        UsiEngine([sys.executable, "-c", "pass"])
    with pytest.raises(KujiraError, match="the command of an engine"):
        UsiEngine("")
    with pytest.raises(KeyError):
        UsiEngine(fake, "chess")  # type: ignore[arg-type]


def test_an_answer_is_that_of_its_search(fake: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(line: whaleshogi.Line) -> None:
        raise ZeroDivisionError(str(line))

    with UsiEngine(fake) as engine:
        for depth in (100, 10):
            with pytest.raises(ZeroDivisionError):
                engine.search(Board(), depth=depth, on_info=fail)
        # What the searches before were told to play is no move here.
        board = Board(moves="2e2d 4b4c")
        with pytest.raises(KujiraError, match="a legal move of the engine"):
            engine.search(board, nodes=10)
        assert str(engine.play(Board(), nodes=10)) == "2e2d"
    monkeypatch.setattr(whaleshogi.usi, "PATIENCE", 0.3)
    with UsiEngine([*fake, "deaf"]) as engine:
        with pytest.raises(ZeroDivisionError):
            engine.search(Board(), depth=100, on_info=fail)
        with pytest.raises(RuntimeError, match="found it ended"):
            engine.search(Board(), nodes=10)
    with UsiEngine([*fake, "deaf"]) as engine:
        with pytest.raises(RuntimeError, match="found none in time"):
            engine.search(Board(), depth=100, on_info=lambda line: False)
        with pytest.raises(RuntimeError, match="found it ended"):
            engine.search(Board(), nodes=10)


def test_an_engine_is_told_the_rules(fake: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"Skill Level": 3}
    with UsiEngine(fake, **options) as engine:
        assert engine.search(Board(rules=Rules(impasse=True)), nodes=10).best
        assert engine.search(Board(), nodes=10).best
        with pytest.raises(KujiraError, match="found Rule_DolphinRetreat two, Rule_Repetition off"):
            engine.search(Board(rules=Rules(retreat="two", repetition=False)), nodes=10)
    told = [line for line in capfd.readouterr().err.splitlines() if "Skill" in line or "Rule" in line]
    assert told == [
        "setoption name Skill Level value 3",
        "setoption name Rule_Impasse value points",
        "setoption name Rule_Impasse value off",
    ]


@pytest.mark.parametrize(
    "limits",
    [
        {"nodes": -5},
        {"nodes": 0},
        {"depth": 0},
        {"time": -5.0},
        {"time": float("nan")},
        {"time": float("inf")},
        {"nodes": 5, "lines": 0},
    ],
)
def test_limits_that_are_none(fake: list[str], limits: dict[str, Any]) -> None:
    with UsiEngine(fake) as engine:
        with pytest.raises(KujiraError):
            engine.search(Board(), **limits)
        with pytest.raises(TypeError):
            engine.search(Board(), nodes="5\nquit")  # type: ignore[arg-type]
        assert engine.play(Board(), time=0.001)


def test_ctrl_c_in_a_terminal_reaches_no_engine(fake: list[str]) -> None:
    """A terminal sends it to the group of processes in its foreground."""
    program = f"""
import os, signal, threading
from whaleshogi import Board, UsiEngine
engine = UsiEngine({fake!r})
threading.Timer(0.3, os.killpg, (0, signal.SIGINT)).start()
try:
    engine.search(Board(), depth=100)
except KeyboardInterrupt:
    print(engine.play(Board(), nodes=5))
"""
    if sys.platform != "win32":
        ran = subprocess.run(
            [sys.executable, "-c", program], start_new_session=True, capture_output=True, text=True, check=False
        )
        assert ran.stdout == "2e2d\n"


def test_opponents_of_gym(fake: list[str]) -> None:
    pytest.importorskip("gymnasium")
    for opponent in ("rand", None, 3):
        with pytest.raises(KujiraError, match="an engine, a function or random as the opponent"):
            env.gym(opponent=opponent)  # type: ignore[arg-type]
    with UsiEngine(fake) as engine:
        world = env.gym(opponent=engine, color="white", nodes=10)
        world.reset()
        assert world.board.stack.usi == ["2e2d"]
    world = env.gym(opponent=lambda board: None)
    seen, _ = world.reset()
    _, reward, terminated, truncated, told = world.step(int(seen["action_mask"].argmax()))
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert told["outcome"] == ("black", "resignation")
    world = env.gym(opponent=lambda board: None, color="white")
    world.reset()
    assert world.step(0)[1:3] == (1.0, True)
