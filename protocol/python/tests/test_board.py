"""Boards, moves, rules: what is played and what is said of it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

import whaleshogi
from whaleshogi import Board, IllegalMoveError, KujiraError, Move, Outcome, Rules, SfenError

PERFT = Path(__file__).resolve().parents[3] / "tests" / "perft"
MATED = "5w/3K2/5W/6/6/6 b - 1"


def test_moves_are_played_and_taken_back() -> None:
    board = Board()
    start = board.sfen
    assert (board.game, board.turn, board.ply, len(board.legal_moves)) == ("whale", "black", 1, 7)
    m = board.push("D-e3")
    assert (str(m), m.from_square, m.to_square, m.piece, m.drop, m.promotes) == ("2e2d", "2e", "2d", "D", None, False)
    assert board.sfen == "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - 2"
    assert board.push("D-4c") == board.peek()
    assert [str(m) for m in board.stack] == ["2e2d", "4b4c"]
    assert board.stack.count("2e2d") == 1 and board.stack.count("2e2c") == 0
    assert (board["4c"], board["4b"], board["1f"]) == ("d", None, "B")
    board.pop()
    board.pop()
    assert board.sfen == start
    with pytest.raises(IndexError):
        board.pop()


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_what_is_written_is_read(game: whaleshogi.GameName) -> None:
    for seed in range(20):
        board = Board.random(game, (10, 60), seed=seed)
        for m in board.legal_moves:
            assert board.parse(m.usi) == m == Move.from_int(game, int(m))
            for notation in ("western", "japanese"):
                assert board.parse(board.write(m, notation)) == m
        assert Board(game, board.sfen) == board
        assert Board(game, moves=board.stack.usi) == board
        assert pickle.loads(pickle.dumps(board)).stack.usi == board.stack.usi
        assert copy.copy(board) == copy.deepcopy(board) == board.copy(history=False) == board
        assert hash(board) == hash(board.copy()) and board.turned().turned() == board
        assert board.mirrored().mirrored() == board
        assert {board, board.copy()} == {board}


def test_a_list_of_moves_is_a_sequence() -> None:
    moves = Board().legal_moves
    assert isinstance(moves, Sequence)
    assert [moves[-1], *moves[:2]] == [list(moves)[6], *list(moves)[:2]]
    assert "2e2d" in moves and "2e2c" not in moves and int(moves[3]) in moves and None not in moves
    assert list(reversed(moves)) == list(moves)[::-1] == list(moves[::-1])
    assert moves.index(moves[4]) == 4 and moves.count("2e2c") == 0
    with pytest.raises(IndexError):
        moves[7]
    with pytest.raises(ValueError):
        moves.index("2e2c")


@pytest.mark.parametrize("handicap", [None, "PG"])
def test_moves_played_have_the_actions_of_their_movers(handicap: str | None) -> None:
    board, actions = Board(handicap=handicap), []
    for number in range(7):
        m = board.legal_moves[number % len(board.legal_moves)]
        actions.append(board.action(m))
        board.push(m)
    assert board.stack.actions.tolist() == actions
    for part in (slice(1, None), slice(None, None, -1), slice(1, None, 2), slice(5, None, -3), slice(9, None)):
        assert board.stack[part].actions.tolist() == actions[part]
    assert board.stack[1:][1:].actions.tolist() == actions[2:]


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_actions_are_no_moves(game: whaleshogi.GameName) -> None:
    board = Board(game)
    for action in board.legal_moves.actions.tolist():
        with pytest.raises(KujiraError, match="those of actions are others"):
            board.push(action)
    assert board.push(int(board.legal_moves[0])) == board.peek()


def test_numbers_that_are_none() -> None:
    for number in (-1, 2**80):
        for ask in (
            lambda: Board().perft(number),
            lambda: Board().playout(max_plies=number),
            lambda: Board().from_action(number),
            lambda: Board.random(plies=number),
            lambda: Board.random(plies=(number, 3)),
            lambda: Board.random(seed=number),
            lambda: Board().svg(size=number),
            lambda: Move.from_int("whale", number),
            lambda: whaleshogi.VectorBoards("whale", number),
        ):
            with pytest.raises(KujiraError, match=rf"found \(?{number}"):
                ask()


def test_the_capture_of_a_whale_is_kept() -> None:
    board = Board("great", f"w,10/BW,10{'/11' * 8}/10,W b - 1")
    board.push("11b11a")
    copy = board.copy(history=False)
    assert copy == board and copy.outcome == board.outcome == ("black", "whale-captured")


def test_what_is_given_as_a_move() -> None:
    board = Board()
    for number in (-1, 2**32, 2**80):
        with pytest.raises(KujiraError, match="expected the number of a move"):
            board.push(number)
    with pytest.raises(TypeError, match="expected a Move, its text or its number, found <class 'NoneType'>"):
        board.push(None)  # type: ignore[arg-type]
    line = ["2e2d", "4b4c"]
    for moves in (line, tuple(line), iter(line), dict.fromkeys(line), (m for m in line), " ".join(line)):
        assert Board(moves=moves).stack.usi == line
    assert Board(moves=Board(moves=line).stack).stack.usi == line


def test_a_number_may_look_at_the_board() -> None:
    board = Board()
    number = int(board.legal_moves[0])

    class Nosy:
        def __index__(self) -> int:
            assert board == board.copy() and whaleshogi.Game(board).end.board() == board
            if board.ply == 3:
                board.pop()
            return number

    nosy: int = Nosy()  # type: ignore[assignment]
    assert int(board.push(nosy)) == number and board.ply == 2
    board.push(board.legal_moves[0])
    with pytest.raises(RuntimeError, match="expected an object that nothing uses now"):
        board.is_legal(nosy)


def test_ways_are_part_of_moves() -> None:
    board = Board("great", "w,10/11/11/11/4,p,1,P,4/5,K,5/11/11/11/11/W,10 b - 1")
    assert sorted(board.moves_from("6f").usi)[5:8] == ["6f7e6f", "6f7e8d", "6f7f"]
    m = board.parse("6f7e8d")
    assert m.way == ("7e",) and board.captured(m) == [("7e", "p")] and board.is_capture(m)
    assert board.after(m).hands == {"black": {"P": 1}, "white": {}}


def test_why_a_move_is_not_legal() -> None:
    board = Board()
    assert board.why_not("2e2d") is None
    assert board.why_not("2e2c") == "The dolphin does not move from 2e to 2c."
    assert board.why_not("D*3c") == "Black has no dolphin in hand."
    with pytest.raises(IllegalMoveError, match="does not move from 2e to 2c") as found:
        board.push("2e2c")
    assert found.value.candidates == ["2e2d"]
    with pytest.raises(KujiraError, match="expected a USI move"):
        board.push("hello")
    with pytest.raises(KujiraError, match="expected a move of whale, found one of great"):
        board.push(Board("great").legal_moves[0])
    assert not board.is_legal("hello") and board.is_legal("D-e3")


def test_ends_of_games() -> None:
    board = Board("whale", MATED)
    assert board.outcome is None and str(board.mate_in_one()) == "3b2b"
    board.push("3b2b")
    outcome = board.outcome
    assert outcome is not None and outcome == Outcome("black", "checkmate") and outcome.result() == "1-0"
    assert len(board.legal_moves) == 0 and board.is_check
    with pytest.raises(IllegalMoveError, match="after the end of the game"):
        board.push("1a1b")
    board = Board(handicap="PG")
    dance = ["2d3d", "5a4a", "3d2d", "4a5a"] * 3
    for text in ["5a4a", "2f2d", "4a5a", *dance[:11]]:
        assert board.outcome is None and board.claim is None
        board.push(text)
    assert board.outcome == Outcome(None, "repetition") and board.occurrences == 4
    assert Outcome(None, "repetition").result() == "1/2-1/2" and board.perft(1) > 0 and len(board.legal_moves) == 0
    assert board.copy(history=False).outcome is None


def test_rules_and_claims() -> None:
    rules = Rules(impasse=True)
    board = Board("whale", "WGGHH1/DDDDDD/6/6/dddddd/w5 b NNBBKK 1".replace("NNBBKK", "2N2B2K"), rules=rules)
    assert board.rules == rules and hash(rules) == hash(Rules(impasse=True)) and pickle.loads(pickle.dumps(rules)) == rules
    assert board.claim == Outcome("black", "impasse")
    board.rules = Rules()
    assert board.claim is None
    with pytest.raises(ValueError, match="expected one of slide, two"):
        Rules(retreat="far")


def test_names_that_are_none() -> None:
    with pytest.raises(KeyError, match="whale, paulowich, great"):
        Board("chess")  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="G, H, P, PG"):
        Board(handicap="Q")
    with pytest.raises(KeyError):
        Board("great", handicap="G")
    with pytest.raises(KeyError, match="W, K, H"):
        whaleshogi.kind("whale", "Q")
    with pytest.raises(ValueError, match="from 6a to 1f"):
        Board()["9z"]
    with pytest.raises(SfenError) as found:
        Board("whale", "6/6/6/6/6/6 b - 1")
    assert len(found.value.reasons) == 2


def test_games_as_data() -> None:
    spec = whaleshogi.spec("great")
    assert (spec.files, spec.ranks, len(spec.kinds), len(spec.hand_kinds)) == (11, 11, 52, 26)
    calf = whaleshogi.kind("great", "FC")
    assert (calf.name, calf.promotes_to, calf.in_hand) == ("fin whale calf", whaleshogi.kind("great", "+FC"), calf)
    assert pickle.loads(pickle.dumps(calf)) == calf and pickle.loads(pickle.dumps(spec)) == spec
    assert "FC" in calf.diagram()
    for id in whaleshogi.spec("whale").handicaps:
        board = Board(handicap=id)
        assert board.turn == "white"
        assert board.variation(board.legal_moves.usi[:1]).startswith("1. … ")


def test_notation_of_lines() -> None:
    board = Board()
    text = board.variation("2e2d 4b4c 4e4d")
    assert text == "1. D-e3 D-c4 2. D-c3"
    assert board.variation("2e2d 4b4c", "japanese", numbers=False) == "D-2d D-4c"
    with pytest.raises(ValueError, match="usi, western, japanese"):
        board.write("2e2d", "english")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["whale", "paulowich", "great", "great-rich"])
def test_perft(name: str) -> None:
    lines = [line for line in (PERFT / f"{name}.epd").read_text().splitlines() if line and line[0] != "#"]
    for line in lines[:: max(1, len(lines) // 12)]:
        sfen, *counts = line.split(";")
        board = Board(name.split("-")[0], sfen.strip())  # type: ignore[arg-type]
        for count in counts:
            depth, leaves = count.split()
            if depth[0] == "D" and depth[1:].isdigit() and int(leaves) < 300_000:
                assert board.perft(int(depth[1:]), threads=2) == int(leaves), (sfen, depth)
    divided = Board().perft(3, divide=True)
    assert isinstance(divided, dict) and sum(divided.values()) == Board().perft(3)


def test_playouts() -> None:
    board = Board()
    assert board.playout(seed=1) == board.playout(seed=1)
    assert board.playout(max_plies=3) is None and board.ply == 1
    first = board.playout(policy=lambda board: board.legal_moves[0], max_plies=20)
    assert first is None or isinstance(first, Outcome)
    with pytest.raises(ZeroDivisionError):
        board.playout(policy=lambda board: board.legal_moves[1 // 0])
    with pytest.raises(KujiraError):
        Board.random(plies=(5, 3))


def test_attackers() -> None:
    board = Board("whale", MATED)
    assert board.attackers("2b", "black") == {"1c", "3b"}
    assert board.attackers("1b", "white") == {"1a"}
    assert [str(m) for m in board.checks()] and board.pieces == {"1a": "w", "3b": "K", "1c": "W"}
