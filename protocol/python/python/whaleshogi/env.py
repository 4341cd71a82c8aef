"""Environments of other frameworks; each is imported only where it is asked for (``pip install whaleshogi[rl]``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from whaleshogi._native import Board, Engine, Move, Rules, spec
from whaleshogi.errors import IllegalMoveError, KujiraError
from whaleshogi.outcome import Outcome, Turn
from whaleshogi.usi import UsiEngine

if TYPE_CHECKING:
    from whaleshogi._native import _GameName

Opponent = Engine | UsiEngine | Literal["random"] | Callable[[Board], Move | None]


def _observation(board: Board) -> dict[str, Any]:
    """What the side to move sees: ranks, files, planes; and which actions are legal."""
    import numpy as np

    planes = np.ascontiguousarray(board.planes().transpose(1, 2, 0))
    return {"observation": planes, "action_mask": board.action_mask().astype(np.int8)}


def _space(game: _GameName) -> Any:
    import numpy as np
    from gymnasium import spaces

    planes, ranks, files = spec(game).planes_shape
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (ranks, files, planes), np.uint8),
            "action_mask": spaces.Box(0, 1, (spec(game).num_actions,), np.int8),
        }
    )


def _render(board: Board, mode: str | None) -> str | None:
    if mode == "ansi":
        return str(board)
    return board.svg() if mode == "svg" else None


def _check(game: _GameName, mode: str | None) -> None:
    spec(game)
    if mode not in (None, "ansi", "svg"):
        raise KujiraError(f"expected one of ansi, svg, found {mode!r}")


def register_open_spiel() -> tuple[str, ...]:
    """Registers the games with OpenSpiel and returns their names; see ``whaleshogi.open_spiel``."""
    from whaleshogi.open_spiel import NAMES

    return tuple(NAMES)


def aec(
    game: _GameName = "whale",
    *,
    render_mode: Literal["ansi", "svg"] | None = None,
    max_plies: int = 500,
    rules: Rules | None = None,
) -> Any:
    """A ``pettingzoo.AECEnv`` for two agents, ``black`` and ``white``.

    Observations are dictionaries: ``observation`` (``uint8``: ranks, files, planes) and ``action_mask`` (``int8``). Who
    chooses an illegal action loses. Games of more than ``max_plies`` plies are broken off.
    """
    _check(game, render_mode)
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class WhaleShogi(AECEnv):  # type: ignore[misc, unused-ignore, type-arg]
        metadata = {"name": f"{game}_v1", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

        def __init__(self) -> None:
            super().__init__()
            self.render_mode = render_mode
            self.possible_agents = ["black", "white"]
            self.agents = self.possible_agents[:]
            self.observation_spaces = {agent: _space(game) for agent in self.agents}
            self.action_spaces = {agent: spaces.Discrete(spec(game).num_actions) for agent in self.agents}
            self.board = Board(game, rules=rules)

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def observe(self, agent: str) -> dict[str, Any]:
            found = _observation(self.board)
            if agent != self.board.turn:
                found["action_mask"][:] = 0
            return found

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            self.board = Board(game, rules=rules)
            self.agents = self.possible_agents[:]
            self.agent_selection = self.board.turn
            self.rewards = {agent: 0.0 for agent in self.agents}
            self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
            self.terminations = {agent: False for agent in self.agents}
            self.truncations = {agent: False for agent in self.agents}
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

        def step(self, action: Any) -> None:
            mover = self.agent_selection
            if self.terminations[mover] or self.truncations[mover]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[mover] = 0.0
            winner: str | None = None
            over = False
            try:
                self.board.push(self.board.from_action(int(action)))
            except KujiraError:
                over, winner = True, "white" if mover == "black" else "black"
            outcome = self.board.outcome
            if outcome is not None:
                over, winner = True, outcome.winner
            for agent in self.agents:
                self.rewards[agent] = 0.0 if winner is None else 1.0 if agent == winner else -1.0
                self.terminations[agent] = over
                self.truncations[agent] = not over and len(self.board.stack) >= max_plies
            self.agent_selection = "white" if mover == "black" else "black"
            self._accumulate_rewards()

        def render(self) -> str | None:
            return _render(self.board, render_mode)

        def close(self) -> None:
            pass

    return WhaleShogi()


def gym(
    game: _GameName = "whale",
    *,
    opponent: Opponent = "random",
    nodes: int = 1000,
    color: Turn = "black",
    render_mode: Literal["ansi", "svg"] | None = None,
    max_plies: int = 500,
    rules: Rules | None = None,
) -> Any:
    """A ``gymnasium.Env``: one agent, ``color``, against an engine, a function or a random mover.

    Observations as in ``aec``; the reward comes with the end: 1, 0 or -1. Who chooses an illegal action loses.
    ``nodes`` is what an engine searches a move; one that gives up or claims the win ends the game.
    """
    _check(game, render_mode)
    play = getattr(opponent, "play", None)
    if opponent != "random" and not callable(play) and not callable(opponent):
        raise KujiraError(f"expected an engine, a function or random as the opponent, found {opponent!r}")
    if color not in ("black", "white"):
        raise KujiraError(f"expected one of black, white, found {color!r}")
    import gymnasium
    from gymnasium import spaces

    class WhaleShogi(gymnasium.Env):  # type: ignore[misc, unused-ignore, type-arg]
        metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

        def __init__(self) -> None:
            self.render_mode = render_mode
            self.observation_space = _space(game)
            self.action_space = spaces.Discrete(spec(game).num_actions)
            self.board = Board(game, rules=rules)
            self._outcome: Outcome | None = None

        def _reply(self) -> None:
            """The opponent moves, if it is its turn."""
            self._outcome = self.board.outcome
            if self._outcome is not None or self.board.turn == color:
                return
            moves = self.board.legal_moves
            if callable(play):
                chosen = play(self.board, nodes=nodes)
            elif callable(opponent):
                chosen = opponent(self.board)
            else:
                chosen = moves[int(self.np_random.integers(len(moves)))]
            if chosen is None:
                claim = self.board.claim
                claims = claim is not None and claim.winner == self.board.turn
                self._outcome = claim if claims else Outcome(color, "resignation")
                return
            self.board.push(chosen)
            self._outcome = self.board.outcome

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[dict[str, Any], dict[str, Any]]:
            super().reset(seed=seed)
            self.board = Board(game, rules=rules)
            self._reply()
            return _observation(self.board), {}

        def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
            try:
                # The opponent may have given up before the first move.
                if self._outcome is None:
                    self.board.push(self.board.from_action(int(action)))
                    self._reply()
            except IllegalMoveError as error:
                return _observation(self.board), -1.0, True, False, {"illegal": str(error)}
            outcome = self._outcome
            if outcome is None:
                return _observation(self.board), 0.0, False, len(self.board.stack) >= max_plies, {}
            reward = 0.0 if outcome.winner is None else 1.0 if outcome.winner == color else -1.0
            return _observation(self.board), reward, True, False, {"outcome": outcome}

        def render(self) -> str | None:  # type: ignore[override, unused-ignore]
            return _render(self.board, render_mode)

    return WhaleShogi()
