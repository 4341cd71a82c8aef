"""Games with branches, files of them, pictures."""

from __future__ import annotations

import gc
import gzip
import io
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import whaleshogi
from whaleshogi import Board, Engine, Game, IllegalMoveError, KujiraError, Score, read, to_frame
from whaleshogi._native import GameReader

CORPUS = Path(__file__).resolve().parents[3] / "protocol" / "record" / "tests" / "corpus"


def sample() -> Game:
    game = Game("whale", black="a & b", white="c", Event="e")
    node = game.root
    for text in ("2e2d", "D-c4", "2f2d"):
        if not node.board().is_legal(text):
            text = "1e1d"
        node = node.add(text)
    node.score = Score(cp=-125)
    node.comment = "so <it> is"
    node.nags = [2]
    game.root.add("1e1d")
    game.finish("white", "resignation")
    return game


def test_a_game_is_a_tree() -> None:
    game = sample()
    assert (game.players, game.result, game.winner, game.reason) == (("a & b", "c"), "0-1", "white", "resignation")
    assert [str(node.move) for node in game.mainline()] == ["2e2d", "4b4c", "1e1d"] and len(game) == 3
    assert [board.ply for board in game.boards()] == [1, 2, 3, 4]
    assert len(game.root.children) == 2 and game.root.children[0].parent == game.root and game.root.move is None
    last = game.end
    assert (last.score, last.comment, last.nags, last.clock, last.ply) == (Score(cp=-125), "so <it> is", [2], None, 4)
    assert last.ending == ("white", "resignation") and last.board() == list(game.boards())[-1]
    with pytest.raises(IllegalMoveError):
        game.root.add("2e2c")
    with pytest.raises(ValueError, match="checkmate"):
        game.finish(None, "boredom")
    for winner, reason in ((None, "resignation"), ("black", "agreement"), ("black", "checkmate"), (None, "impasse")):
        with pytest.raises(KujiraError, match="expected"):
            game.finish(winner, reason)  # type: ignore[arg-type]
    game.finish(None, "agreement")
    assert game.result == "1/2-1/2"
    with pytest.raises(IllegalMoveError, match="no move after the end of the game"):
        last.add(last.board().legal_moves[0])
    assert game.result == "1/2-1/2" and game.root.add("2f2d").ply == 2
    for plies in (0, 65535, -65535):
        with pytest.raises(KujiraError, match=f"expected a mate in 1 to 65534 plies, found {plies}"):
            last.score = Score(mate=plies)
    for name in ("two words", "", "1st", "x]", "ü", "Result", "fen", "Variant", "Termination"):
        with pytest.raises(KujiraError, match="a tag whose name is one word"):
            game.set_header(name, "x")
        with pytest.raises(KujiraError, match="a tag whose name is one word"):
            Game("whale", **{name: "x"})
    won = Game(Board("whale", "5w/3K2/5W/6/6/6 b - 1", moves="3b2b"))
    won.finish("black", "checkmate")
    with pytest.raises(KujiraError, match="the end to be"):
        won.finish("white", "resignation")


@pytest.mark.parametrize("format", ["pgn", "jsonl", "hodges", "usi"])
def test_what_is_written_is_read(format: str, tmp_path: Path) -> None:
    game = sample()
    text = game.write(format)  # type: ignore[arg-type]
    file = tmp_path / f"games.{format}.gz"
    with gzip.open(file, "wt") as out:
        out.write(f"{text}\n{text}")
    for games in (list(read(file)), list(read(text.encode())), list(read(text.encode(), format=format))):  # type: ignore[arg-type]
        again = games[0]
        assert [str(node.move) for node in again.mainline()] == [str(node.move) for node in game.mainline()]
        assert (again.players, again.result) == (game.players, game.result)
        if format != "usi":
            assert again.end.score == game.end.score and again.end.comment == game.end.comment
    assert len(list(read(str(file)))) == 2


@pytest.mark.parametrize("format", ["pgn", "jsonl", "hodges"])
def test_every_score_is_written(format: str) -> None:
    for score in (Score(mate=1), Score(mate=-1), Score(mate=65534), Score(mate=-65534), Score(cp=2**31 - 1), Score(cp=0)):
        game = Game()
        game.root.add("2e2d").score = score
        again, = read(game.write(format).encode(), format=format)  # type: ignore[arg-type]
        assert again.end.score == score


def test_a_board_with_moves_becomes_a_game() -> None:
    board = Board("great", moves="6h6g 6d6e")
    game = Game(board)
    assert game.end.board() == board and game.game == "great" and game.result is None and game
    assert Game("paulowich").root.board() == Board("paulowich")


def test_every_file_of_the_corpus_is_read() -> None:
    files = [file for file in CORPUS.iterdir() if file.suffix in (".pgn", ".usi", ".jsonl", ".txt")]
    games = [game for file in files for game in read(file, errors="skip")]
    assert len(files) > 3 and len(games) > len(files) / 2
    for game in games:
        assert game._repr_html_() and len(list(game.boards())) == len(game) + 1


def test_faulty_games() -> None:
    text = b"startpos moves 2e2d\nstartpos moves 2e2e\nstartpos\n"
    with pytest.raises(KujiraError, match="line 2.*move 1") as found:
        list(read(text))
    assert found.value.place == "line 2, column 16: game 2, move 1"
    assert len(list(read(text, errors="skip"))) == 2
    with pytest.warns(UserWarning, match="2e2e"):
        assert len(list(read(text, errors="warn"))) == 2
    with pytest.raises(FileNotFoundError):
        read("/nothing.pgn")
    with pytest.raises(KujiraError, match="usi, jsonl, pgn, hodges"):
        read(b"", format="kif")  # type: ignore[arg-type]
    with pytest.raises(KujiraError, match="raise, skip, warn"):
        read(b"", errors="x")  # type: ignore[arg-type]
    assert list(read(b"\xff\xfe\xfd", format="usi", errors="skip")) == []


@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["games.usi", "games.usi.gz"])
def test_a_file_is_closed_wherever_reading_ends(name: str, tmp_path: Path) -> None:
    file, text = tmp_path / name, b"startpos moves 2e2d\n" * 3
    file.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    read(file)
    next(read(file))
    for _ in range(2):
        assert len(list(read(file))) == 3
    with pytest.raises(KujiraError):
        read(file, format="kif")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        read(file, game="chess")  # type: ignore[arg-type]
    gc.collect()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    whole = gzip.compress(b"startpos moves 2e2d\n" * 9)
    for name, content in (("cut", whole[:-9]), ("none", b"startpos\n"), ("bad", whole[:15] + b"\xff" * 9)):
        file = tmp_path / f"{name}.usi.gz"
        file.write_bytes(content)
        (tmp_path / f"{name}.gz").write_bytes(content)
        for path in (file, tmp_path / f"{name}.gz"):
            for errors in ("skip", "warn", "raise"):
                with pytest.raises(OSError, match=f"{name}.*gz: "):
                    list(read(path, errors=errors))
    faulty = tmp_path / "faulty.usi"
    faulty.write_text("startpos moves 2e2e")
    with pytest.raises(KujiraError, match="faulty.usi: line 1, column 16: game 1, move 1: ") as found:
        list(read(faulty))
    assert str(found.value.place).startswith(str(faulty))


class Interrupted(io.RawIOBase):
    """A file during whose reading Ctrl-C is pressed."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        raise KeyboardInterrupt


def test_what_a_file_raises_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt):
        next(GameReader(io.BufferedReader(Interrupted()), "usi"))


def test_a_file_is_read_on_several_threads() -> None:
    games, found = read(b"startpos moves 2e2d\n" * 3), []
    for _ in range(3):
        reading = threading.Thread(target=lambda: found.append(next(games)))
        reading.start()
        reading.join()
    assert len(found) == 3 and next(games, None) is None


def test_reviews() -> None:
    game = Game(Board("whale", moves="2e2d 4b4c 2d2c 2b2c"))
    with Engine() as engine:
        review = game.review(engine, nodes=300)
    assert len(review.losses) == 4 and len(review.chances) == 5
    assert all(0 <= chance <= 1 for chance in review.chances if chance is not None)
    assert all(value is not None and 0 <= value <= 100 for value in review.accuracy)
    assert ET.fromstring(review._repr_svg_()).tag.endswith("svg")
    review.annotate()
    assert game.end.score is not None and game._repr_html_().count("<svg") == 2


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_pictures(game: whaleshogi.GameName) -> None:
    board = Board.random(game, 60, seed=3)
    for turned in (False, True):
        for theme in ("light", "dark", "print"):
            svg = board.svg(turned=turned, theme=theme, squares="japanese", size=300, last=board.peek(),
                            arrows=[("1a", "2b"), ("1a", "1a", "red")], marks={"3c": "#ff0"})
            root = ET.fromstring(svg)
            tiles = root.findall("{http://www.w3.org/2000/svg}g")
            kinds = sum(len(hand) for hand in board.hands.values())
            assert len(tiles) == len(board.pieces) + kinds and root.get("width") == "300"
    assert ET.fromstring(board._repr_svg_()).tag.endswith("svg")
    for kind in board.spec.kinds:
        assert ET.fromstring(kind._repr_svg_()).tag.endswith("svg") and "<pre>" in kind._repr_html_()
    with Engine(game) as engine:
        assert "<table>" in engine.search(board, nodes=100)._repr_html_()
    for wrong in ({"theme": "red"}, {"squares": "x"}, {"marks": {"9z": "red"}}, {"marks": {"1a": '"/><script>'}}):
        with pytest.raises(KujiraError):
            board.svg(**wrong)


def test_frames() -> None:
    pytest.importorskip("pandas")
    frame = to_frame([sample(), sample()])
    assert list(frame["result"]) == ["0-1", "0-1"] and list(frame["plies"]) == [3, 3] and list(frame["Event"]) == ["e", "e"]
    tagged = read(b'[Variant "whale"]\n[plies "9"]\n[winner "x"]\n[start "y"]\n[Site "z"]\n\n1. D-e3 1-0\n')
    row = to_frame(tagged).iloc[0]
    assert (row["plies"], row["winner"], row["start"], row["Site"]) == (1, "black", Board().sfen, "z")
    plies = to_frame([sample()], per="ply")
    assert list(plies["western"]) == ["D-e3", "D-c4", "D-f3"] and plies["cp"].iloc[2] == -125
    with pytest.raises(KujiraError):
        to_frame([], per="x")  # type: ignore[arg-type]
