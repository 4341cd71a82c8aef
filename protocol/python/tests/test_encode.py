"""Planes, actions and many games side by side."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import whaleshogi
from whaleshogi import Board, IllegalMoveError, KujiraError, VectorBoards, encode

#: Of the names of all planes and actions: another numbering needs another version of ENCODING.
NAMES = {
    "whale": (30, 1512, "e157dfa1638bc4c8"),
    "paulowich": (34, 2744, "a167df0c67dfaa73"),
    "great": (158, 34122, "2bd88a7131c4ec31"),
}


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_the_numbering_is_that_of_its_version(game: whaleshogi.GameName) -> None:
    assert encode.ENCODING == whaleshogi.ENCODING == 1
    planes, actions = encode.plane_names(game), encode.action_names(game)
    spec = whaleshogi.spec(game)
    assert spec.planes_shape == (len(planes), spec.ranks, spec.files) and spec.num_actions == len(actions)
    names = [name for name in actions if name]
    assert len(set(names)) == len(names)
    digest = hashlib.sha256("\n".join([*planes, *actions]).encode()).hexdigest()[:16]
    assert (len(planes), len(actions), digest) == NAMES[game]


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_actions_tell_moves_apart(game: whaleshogi.GameName) -> None:
    """More of them: ``python -m whaleshogi.proof``."""
    positions, moves = encode.check_actions(game, positions=2000, plies=2, seed=1)
    assert positions > 2000 and moves > positions


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_masks_and_actions(game: whaleshogi.GameName) -> None:
    names = encode.action_names(game)
    for seed in range(20):
        board = Board.random(game, (0, 60), seed=seed)
        mask = board.action_mask()
        assert sorted(np.flatnonzero(mask)) == sorted(board.legal_moves.actions)
        assert [board.action(m) for m in board.legal_moves] == board.legal_moves.actions.tolist()
        assert [board.from_action(int(a)) for a in board.legal_moves.actions] == list(board.legal_moves)
        seen = board if board.turn == "black" else board.turned()
        assert sorted(seen.legal_moves.usi) == sorted(names[a] for a in np.flatnonzero(mask))
        illegal = int(np.flatnonzero(~mask)[seed])
        with pytest.raises(IllegalMoveError):
            board.from_action(illegal)
        out = np.ones_like(mask)
        assert board.action_mask(out) is out and (out == mask).all()
    for action in (-1, len(names)):
        with pytest.raises(KujiraError, match="expected an action from 0 to"):
            board.from_action(action)


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_planes_say_what_stands_where(game: whaleshogi.GameName) -> None:
    names = encode.plane_names(game)
    for seed in range(20):
        board = Board.random(game, (0, 60), seed=seed)
        planes = board.planes()
        assert planes.dtype == np.uint8 and planes.shape == board.spec.planes_shape
        turned = board.turned().planes()
        last = planes[-1]
        assert (planes[:-2] == turned[:-2]).all() and (last == (board.turn == "black")).all() and (turned[-1] != last).all()
        seen = board if board.turn == "black" else board.turned()
        files, ranks = board.spec.files, board.spec.ranks
        rows = [f"{files - column}{chr(ord('a') + row)}" for row in range(ranks) for column in range(files)]
        found = {}
        for plane, name in zip(planes, names, strict=True):
            side, _, token = name.partition(" ")
            if side not in ("our", "their") or token.endswith("in hand"):
                continue
            for square in np.flatnonzero(plane):
                found[rows[square]] = token if side == "our" else token.lower()
        assert found == seen.pieces
        for side, color in (("our", board.turn), ("their", "white" if board.turn == "black" else "black")):
            for kind in board.spec.hand_kinds:
                plane = planes[names.index(f"{side} {kind.token} in hand")]
                assert (plane == board.hands[color].get(kind.token, 0)).all()
    with pytest.raises(KujiraError, match="uint8"):
        board.planes(np.zeros(3, np.uint8))
    with pytest.raises(KujiraError, match="uint8"):
        board.planes(np.zeros(board.spec.planes_shape, np.float32))


def test_repetitions_are_a_plane() -> None:
    board = Board(handicap="PG")
    assert board.planes()[-2].max() == 0
    for text in ["5a4a", "2f2d", "4a5a", "2d3d", "5a4a", "3d2d", "4a5a"]:
        board.push(text)
    assert (board.planes()[-2] == board.occurrences - 1).all() and board.occurrences == 2


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_games_side_by_side(game: whaleshogi.GameName) -> None:
    count, random = 70, np.random.default_rng(1)
    games = VectorBoards(game, count, threads=2, max_plies=40, random_plies=(2, 9), seed=7)
    assert len(games) == count and games.game == game
    boards = [games.board(i) for i in range(count)]
    assert len({board.sfen for board in boards}) > 1
    for _ in range(25):
        planes, masks, turn, plies = games.planes(), games.masks(), games.turn, games.plies
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks], np.int32)
        rewards, terminated, truncated = games.step(actions)
        for i, board in enumerate(boards):
            assert (planes[i] == board.planes()).all() and (masks[i] == board.action_mask()).all()
            assert turn[i] == (board.turn == "white") and plies[i] == len(board.stack)
            mover = board.turn
            board.push(board.from_action(int(actions[i])))
            outcome = board.outcome
            assert terminated[i] == (outcome is not None)
            assert truncated[i] == (outcome is None and len(board.stack) >= 40)
            won = 0 if outcome is None or outcome.winner is None else 1 if outcome.winner == mover else -1
            assert rewards[i] == won
            if terminated[i] or truncated[i]:
                boards[i] = games.board(i)
                assert 2 <= len(boards[i].stack) <= 9
            assert games.board(i) == boards[i]


def test_games_that_do_not_begin_anew() -> None:
    games = VectorBoards("whale", 2, max_plies=1, auto_reset=False)
    first = games.masks()[0]
    action = np.flatnonzero(first)[0]
    _, terminated, truncated = games.step(np.array([action, action], np.int32))
    assert truncated.all() and not terminated.any() and not games.masks().any()
    with pytest.raises(KujiraError, match="game 0: expected a game in progress"):
        games.step(np.array([action, action], np.int32))
    games.reset(np.array([True, False]))
    assert games.plies.tolist() == [0, 1]
    games.reset()
    with pytest.raises(KujiraError, match="game 1: expected a legal action, found -5"):
        games.step(np.array([action, -5], np.int32))
    assert games.plies.tolist() == [0, 0]
    for wrong in (np.zeros(3, np.int32), np.zeros(4, np.int32)[::2]):
        with pytest.raises(ValueError):
            games.step(wrong)
    with pytest.raises(KujiraError, match="expected an array of int32 with one axis"):
        games.step(np.zeros(2, np.int64))
    with pytest.raises(KujiraError, match="expected an array of bool with one axis"):
        games.reset(np.zeros(2))  # type: ignore[arg-type]
    for index in (2, -1):
        with pytest.raises(IndexError):
            games.board(index)
    with pytest.raises(KujiraError, match="one that no random game reached"):
        VectorBoards("whale", 10, max_plies=99_999, random_plies=9_999)
    for options in ({"n": 0}, {"n": 1, "threads": 0}, {"n": 1, "max_plies": 0}, {"n": 1, "random_plies": (3, 1)}):
        with pytest.raises(KujiraError):
            VectorBoards("whale", **options)


def test_seeds_do_not_overlap() -> None:
    def begun(seed: int) -> set[str]:
        games = VectorBoards("whale", 50, random_plies=12, seed=seed)
        return {games.board(i).sfen for i in range(50)}

    assert begun(1) == begun(1) and not begun(1) & begun(2)
