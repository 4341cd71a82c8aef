"""Training data: self-play, batches, games."""

from __future__ import annotations

import os
import subprocess
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whaleshogi
from whaleshogi import Board, KujiraError, data, encode


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[whaleshogi.GameName, Path]:
    folder = tmp_path_factory.mktemp("data")
    made: dict[whaleshogi.GameName, Path] = {}
    for game in whaleshogi.GAMES:
        file = folder / f"{game}.ktd"
        dataset = data.generate(file, game, games=6, nodes=30, threads=2, seed=3)
        assert dataset.num_games == 6 and len(dataset) > 6
        made[game] = file
    return made


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_batches_are_the_positions_of_the_games(game: whaleshogi.GameName, files: dict[whaleshogi.GameName, Path]) -> None:
    dataset = data.open(files[game])
    assert dataset.game == game and dataset.settings["seed"] == "3" and dataset.torn == 0
    batches = list(dataset.batches(64, planes=True))
    assert [len(batch["score"]) for batch in batches[:-1]] == [64] * (len(batches) - 1)
    rows: list[dict[str, Any]] = [
        {name: array[i] for name, array in zip(batch, batch.values(), strict=True)}  # type: ignore[index]
        for batch in batches
        for i in range(len(batch["score"]))
    ]
    assert len(rows) == len(dataset)
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row["game"])]
    assert len(groups) == 6
    for group, played in zip(groups, dataset.games(), strict=True):
        boards = list(played.boards())
        nodes = [played.root, *played.mainline()]
        for row in group:
            board, planes = boards[row["ply"]], boards[row["ply"]].planes()
            planes[-2] = 0
            assert (row["planes"] == planes).all()
            if row["action"] >= 0:
                assert board.from_action(int(row["action"])) == nodes[row["ply"] + 1].move
            score = nodes[row["ply"]].score
            assert score is not None
            if score.cp is not None:
                assert score.cp == (row["score"] if board.turn == "black" else -row["score"])
            won = 0 if played.winner is None else 1 if played.winner == board.turn else -1
            assert row["result"] == won


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_parquet_has_the_rows_of_the_batches(
    game: whaleshogi.GameName, files: dict[whaleshogi.GameName, Path], tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    dataset, path = data.open(files[game]), tmp_path / "x.parquet"
    data.to_parquet(dataset, path, planes=True, quiet=3000)
    table = parquet.read_table(path)
    batch = next(dataset.batches(100_000, planes=True, sfen=True, quiet=3000))
    assert table.num_rows == len(batch["score"]) > 0
    for name in ("game", "ply", "sfen", "score", "result", "action"):
        assert (table[name].to_numpy() == batch[name]).all()
    planes = np.array(table["planes"].to_pylist(), np.uint8)
    assert (planes == batch["planes"].reshape(len(planes), -1)).all()
    for sfen, rows in zip(batch["sfen"], batch["planes"], strict=True):
        assert (Board(game, str(sfen)).planes()[:-2] == rows[:-2]).all()
    metadata = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
    assert metadata["game"] == game and metadata["seed"] == "3" and metadata["encoding"] == str(whaleshogi.ENCODING)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="x.parquet: expected no file"):
        data.to_parquet(dataset, path)
    with pytest.raises(KujiraError, match="sfen or mirror"):
        data.to_parquet(dataset, tmp_path / "y.parquet", mirror=True)
    with pytest.raises(KujiraError, match="split|train"):
        data.to_parquet(dataset, tmp_path / "y.parquet", split="x")
    assert path.read_bytes() == before and [file.name for file in tmp_path.iterdir()] == ["x.parquet"]
    data.to_parquet(dataset, tmp_path / "none.parquet", quiet=0, holdout=0.5, split="held-out")
    assert parquet.read_table(tmp_path / "none.parquet").num_columns == 6


def run_training(*arguments: object) -> str:
    """What ``kujira-training`` prints, which ``run`` built."""
    program = os.environ.get("KUJIRA_TRAINING") or pytest.skip("KUJIRA_TRAINING names no kujira-training")
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_network_learns_from_what_python_wrote(tmp_path: Path) -> None:
    """From a file of ``generate``, and from arrays that numpy made of it."""
    made, arrays, packed, again = (tmp_path / name for name in ("a.ktd", "a.npz", "b.npz", "b.ktd"))
    data.generate(made, "whale", games=30, nodes=50, seed=4)
    assert run_training("export", made, "--out", arrays) == "30 games\n"
    with np.load(arrays) as found:
        columns = dict(found)
    assert columns["plies"].dtype.names == ("move", "score", "flags") and len(columns["games"]) == 30
    np.savez_compressed(packed, **columns)
    assert run_training("import", packed, "--out", again) == "30 games of whale\n"
    assert made.read_bytes() == again.read_bytes()
    size = ("--game", "whale", "--hidden", 16, "--batch", 256, "--held-out", 0.2, "--epochs", 1)
    for file in (made, again):
        run_training("train", *size, "--data", file, "--out", file.with_suffix(".net"))
    assert made.with_suffix(".net").read_bytes() == again.with_suffix(".net").read_bytes()
    with whaleshogi.Engine("whale", network=again.with_suffix(".net")) as engine:
        assert engine.search(Board("whale"), nodes=100).best is not None


def test_shuffling_and_splits(files: dict[whaleshogi.GameName, Path]) -> None:
    dataset = data.open(files["whale"], files["whale"])
    every = np.concatenate([batch["score"] for batch in dataset.batches(1000)])
    mixed = np.concatenate([batch["score"] for batch in dataset.batches(10, shuffle=50, seed=1)])
    again = np.concatenate([batch["score"] for batch in dataset.batches(10, shuffle=50, seed=1)])
    assert sorted(every) == sorted(mixed) and list(every) != list(mixed) and list(mixed) == list(again)
    parts = [
        {int(game) for batch in dataset.batches(100, holdout=0.5, split=split, seed=2) for game in batch["game"]}
        for split in ("train", "held-out")
    ]
    assert not parts[0] & parts[1] and len(parts[0] | parts[1]) == 6
    quiet = next(dataset.batches(10_000, quiet=200))
    assert abs(quiet["score"]).max() <= 200 and (quiet["action"] >= 0).all() and len(quiet["score"]) < len(every)


@pytest.mark.parametrize("game", whaleshogi.GAMES)
def test_mirrored_positions(game: whaleshogi.GameName, files: dict[whaleshogi.GameName, Path]) -> None:
    """The mirror of actions is proved by ``check_actions``, too."""
    dataset = data.open(files[game])
    plain = next(dataset.batches(500, planes=True))
    mirrored = next(dataset.batches(500, planes=True, mirror=True))
    names = encode.action_names(game)
    turned = 0
    for i in range(len(plain["score"])):
        if (plain["planes"][i] == mirrored["planes"][i]).all() and plain["action"][i] == mirrored["action"][i]:
            continue
        turned += 1
        assert (plain["planes"][i][:, :, ::-1] == mirrored["planes"][i]).all()
        assert (plain["action"][i] < 0) == (mirrored["action"][i] < 0)
        if plain["action"][i] >= 0 and "*" in names[plain["action"][i]]:
            assert "*" in names[mirrored["action"][i]]
    assert turned > len(plain["score"]) / 4
    board = Board(game)
    assert sorted(board.mirrored().legal_moves.actions)


def test_files_that_are_none(tmp_path: Path, files: dict[whaleshogi.GameName, Path]) -> None:
    with pytest.raises(FileNotFoundError, match="nothing.ktd"):
        data.open(tmp_path / "nothing.ktd")
    for content in (b"", b"hello", bytes(1000)):
        (tmp_path / "x.ktd").write_bytes(content)
        with pytest.raises(KujiraError, match="x.ktd"):
            data.open(tmp_path / "x.ktd")
    with pytest.raises(KujiraError, match="great"):
        data.open(files["whale"], files["great"])
    with pytest.raises(KujiraError, match="expected a file"):
        data.open()
    damaged = bytearray(files["whale"].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "x.ktd").write_bytes(damaged)
    with pytest.raises(KujiraError):
        data.open(tmp_path / "x.ktd")
    torn = files["whale"].read_bytes()[:-3]
    (tmp_path / "x.ktd").write_bytes(torn)
    assert data.open(tmp_path / "x.ktd").torn > 0
    dataset = data.open(files["whale"])
    for wrong in ({"size": 0}, {"size": 1, "holdout": 2.0}, {"size": 1, "split": "x"}, {"size": 1, "split": "held-out"}):
        with pytest.raises(KujiraError):
            dataset.batches(**wrong)
    with pytest.raises(KujiraError, match="settings|seed"):
        data.generate(files["whale"], "whale", games=9, nodes=31)
    (tmp_path / "notes.txt").write_text("no games")
    with pytest.raises(KujiraError, match="notes.txt"):
        data.generate(tmp_path / "notes.txt", "whale", games=1)
    assert (tmp_path / "notes.txt").read_text() == "no games"
    with pytest.raises(KujiraError):
        data.generate(tmp_path / "y.ktd", "whale", games=1, nodes=0)
    with pytest.raises(OSError):
        data.generate(tmp_path / "no" / "y.ktd", "whale", games=1)
