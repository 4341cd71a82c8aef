"""Whatever is given: a value, or an exception that says what was expected. Nothing ends the interpreter."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whaleshogi
from whaleshogi import Board, KujiraError, Move, Rules

settings.register_profile("package", database=None, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("package")

games = st.sampled_from(whaleshogi.GAMES)
#: Texts with much of what moves, positions and games are made of.
words = st.text(alphabet=st.sampled_from("0123456789abcdefghijkWKPHGNBDAMFCS+*-x!=/, \n.[]\"{}()é\0startpos"), max_size=60)
texts = st.one_of(st.text(max_size=40), words)
anything = st.one_of(st.none(), st.integers(), st.floats(), texts, st.binary(max_size=20), st.lists(st.integers()))
expected = (KujiraError, KeyError, TypeError, OverflowError, IndexError, ValueError)


def boards(game: whaleshogi.GameName, seed: int) -> Board:
    return Board.random(game, (0, 40), seed=seed)


def said(error: BaseException) -> None:
    assert str(error) and not isinstance(error, UnicodeDecodeError)


@given(game=games, seed=st.integers(0, 50), text=texts)
def test_texts_of_moves(game: whaleshogi.GameName, seed: int, text: str) -> None:
    board = boards(game, seed)
    sfen = board.sfen
    for use in (board.parse, board.push, board.why_not, board.write, board.after, board.captured, board.action):
        try:
            use(text)
        except KujiraError as error:
            assert "expected" in str(error)
        else:
            if use == board.push:
                assert board.pop().usi
    assert board.sfen == sfen and isinstance(board.is_legal(text), bool)


@given(game=games, seed=st.integers(0, 20), data=st.data())
def test_moves_with_a_mistake(game: whaleshogi.GameName, seed: int, data: st.DataObject) -> None:
    board = boards(game, seed)
    m = data.draw(st.sampled_from(list(board.legal_moves)))
    text = board.write(m, data.draw(st.sampled_from(["usi", "western", "japanese"])))
    place = data.draw(st.integers(0, len(text) - 1))
    text = text[:place] + data.draw(texts) + text[place + data.draw(st.integers(0, 2)) :]
    try:
        assert board.parse(text) in board.legal_moves
    except KujiraError as error:
        assert "expected" in str(error)


@given(game=games, text=texts)
def test_texts_of_positions(game: whaleshogi.GameName, text: str) -> None:
    makers: list[Callable[[], Board]] = [
        lambda: Board(game, text),
        lambda: Board.from_usi(text, game),
        lambda: Board(game, moves=text),
    ]
    for make in makers:
        try:
            make()
        except (KujiraError, KeyError) as error:
            assert "expected" in str(error)


@given(game=games, seed=st.integers(0, 20), data=st.data())
def test_positions_with_a_mistake(game: whaleshogi.GameName, seed: int, data: st.DataObject) -> None:
    sfen = boards(game, seed).sfen
    place = data.draw(st.integers(0, len(sfen) - 1))
    sfen = sfen[:place] + data.draw(words) + sfen[place + data.draw(st.integers(0, 3)) :]
    try:
        board = Board(game, sfen)
    except KujiraError as error:
        assert "expected" in str(error)
        return
    assert Board(game, board.sfen) == board
    assert len(board.legal_moves.usi) == (0 if board.outcome else board.perft(1))


@given(name=texts)
def test_names(name: str) -> None:
    wanted: Any = name
    if name.lower() not in whaleshogi.GAMES:
        for make in (Board, whaleshogi.spec, whaleshogi.Engine, whaleshogi.encode.action_names):
            with pytest.raises(KeyError, match="whale, paulowich, great"):
                make(wanted)
    for game in whaleshogi.GAMES:
        try:
            whaleshogi.kind(game, name)
        except KeyError as error:
            assert "expected one of W," in str(error)
        try:
            Board()[name]
        except KujiraError as error:
            assert "from 6a to 1f" in str(error)


@given(game=games, bits=st.integers(0, 2**32 - 1) | st.integers(2**31, 2**31 + 2**27))
def test_numbers_of_moves(game: whaleshogi.GameName, bits: int) -> None:
    board = Board(game)
    try:
        m = Move.from_int(game, bits)
    except KujiraError:
        assert not board.is_legal(bits) and bits not in board.legal_moves
        return
    assert int(m) == bits and m.usi and isinstance(m.way, tuple) and board.is_legal(m) == (m in board.legal_moves)


@given(game=games, action=st.integers(-(2**70), 2**70))
def test_numbers_of_actions(game: whaleshogi.GameName, action: int) -> None:
    board = Board(game)
    try:
        assert board.action(board.from_action(action)) == action
    except (KujiraError, OverflowError) as error:
        said(error)


@given(game=games, first=anything, second=anything, seed=st.integers(0, 2**32))
def test_things_of_other_types(game: whaleshogi.GameName, first: Any, second: Any, seed: int) -> None:
    """Every public callable, with whatever there is."""
    order = random.Random(seed)
    board = boards(game, seed % 10)
    targets: list[Any] = [board, board.legal_moves, Rules(), whaleshogi.Score(cp=3), board.legal_moves[0]]
    target = order.choice(targets)
    for name in dir(target):
        if name in ("perft", "playout", "random") or (name.startswith("_") and name not in ("__getitem__", "__contains__", "_restore", "_of")):
            continue
        use = getattr(target, name)
        for arguments in ((first,), (first, second), (second, first), (first, first, second)):
            if not callable(use):
                break
            try:
                use(*arguments)
            except expected as error:
                assert str(error) or isinstance(error, IndexError)


@given(game=games, values=st.dictionaries(st.sampled_from(["threads", "hash", "level", "elo", "network"]), anything))
def test_options_of_engines(game: whaleshogi.GameName, values: dict[str, Any]) -> None:
    if isinstance(values.get("threads"), int):
        values["threads"] = min(values["threads"], 0)
    if isinstance(values.get("hash"), int):
        values["hash"] = min(values["hash"], 0)
    try:
        whaleshogi.Engine(game, **values)
    except (*expected, OSError) as error:
        said(error)


@given(
    content=st.one_of(st.binary(max_size=300), words.map(str.encode), st.text(max_size=100).map(str.encode)),
    format=st.sampled_from([None, "usi", "pgn", "hodges", "jsonl"]),
)
def test_files_of_games(content: bytes, format: Any) -> None:
    for game in whaleshogi.read(content, format=format, errors="skip"):
        assert len(list(game.boards())) == len(game) + 1 and game._repr_html_()
    try:
        list(whaleshogi.read(content, format=format))
    except KujiraError as error:
        said(error)


@given(game=games, seed=st.integers(0, 20), data=st.data(), format=st.sampled_from(["usi", "pgn", "hodges", "jsonl"]))
def test_records_with_a_mistake(game: whaleshogi.GameName, seed: int, data: st.DataObject, format: Any) -> None:
    text = whaleshogi.Game(boards(game, seed), black="a", Event="b").write(format)
    place = data.draw(st.integers(0, len(text) - 1))
    text = text[:place] + data.draw(words) + text[place + data.draw(st.integers(0, 3)) :]
    for found in whaleshogi.read(text.encode(), format=format, errors="skip"):
        assert found.end.board().sfen


@given(values=st.dictionaries(st.sampled_from(["squares", "arrows", "marks", "size", "turned", "theme", "last"]), anything))
def test_pictures(values: dict[str, Any]) -> None:
    try:
        assert Board().svg(**values).startswith("<svg")
    except expected as error:
        said(error)
