"""The games for OpenSpiel: ``import whaleshogi.open_spiel`` registers them (``pip install open_spiel``).

``python_whale_shogi``, ``python_paulowich_whale_shogi`` and ``python_great_whale_shogi``, with the parameter ``max_plies``
(500), after which nobody has won. Actions and the tensor of an observation are those of ``docs/encoding.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from whaleshogi._native import GAMES, Board, spec

if TYPE_CHECKING:
    from whaleshogi._native import _GameName

#: The games by the names that they have in OpenSpiel.
NAMES: dict[str, _GameName] = {f"python_{spec(game).name.lower().replace(' ', '_')}": game for game in GAMES}

_PLIES = 500


def _type(name: str) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=spec(NAMES[name]).name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"max_plies": _PLIES},
    )


class _State(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position; player 0 is Black."""

    def __init__(self, game: Any, name: _GameName, max_plies: int) -> None:
        super().__init__(game)
        self.board = Board(name)
        self.max_plies = max_plies

    def current_player(self) -> Any:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return int(self.board.turn == "white")

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.board.legal_moves.actions.tolist())

    def _apply_action(self, action: int) -> None:
        self.board.push(self.board.from_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.board.from_action(action).usi

    def is_terminal(self) -> bool:
        return self.board.outcome is not None or len(self.board.stack) >= self.max_plies

    def returns(self) -> list[float]:
        outcome = self.board.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == "black" else [-1.0, 1.0]

    def __str__(self) -> str:
        return self.board.sfen


class _Observer:
    """What both players see."""

    def __init__(self, name: _GameName) -> None:
        shape = spec(name).planes_shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: _State, player: int) -> None:
        self.dict["observation"][:] = state.board.planes()

    def string_from(self, state: _State, player: int) -> str:
        return state.board.sfen


def _game(name: str) -> Any:
    """The class of a game."""
    game, told = NAMES[name], _type(name)

    class Game(pyspiel.Game):  # type: ignore[misc, unused-ignore]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self.max_plies = int((params or {}).get("max_plies", _PLIES))
            about = pyspiel.GameInfo(
                num_distinct_actions=spec(game).num_actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.max_plies,
            )
            super().__init__(told, about, params or {})

        def new_initial_state(self) -> _State:
            return _State(self, game, self.max_plies)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            return _Observer(game)

    return told, Game


for _name in NAMES:
    pyspiel.register_game(*_game(_name))
