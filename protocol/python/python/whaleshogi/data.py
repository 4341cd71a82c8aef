"""Training data: files of self-play (``.ktd``) as arrays.

    dataset = whaleshogi.data.generate("games.ktd", "whale", games=100, nodes=500)
    for batch in dataset.batches(256, planes=True, quiet=3000, shuffle=100_000):
        batch["planes"], batch["action"], batch["result"]
"""

from __future__ import annotations

import math
import os
from os import PathLike
from pathlib import Path
from typing import Any

from whaleshogi._native import ENCODING, Dataset, generate, spec

__all__ = ["Dataset", "generate", "open", "to_parquet"]


def open(*paths: str | PathLike[str]) -> Dataset:
    """The files of one game. Each is read once to count it, and its check sums are compared."""
    return Dataset(*paths)


def to_parquet(dataset: Dataset, path: str | PathLike[str], *, planes: bool = False, **batches: Any) -> None:
    """Writes the searched positions of a data set as Parquet, a row each, by ``pyarrow``.

    The columns are ``game``, ``ply``, ``sfen``, ``score``, ``result``, ``action`` and with ``planes`` ``planes``, a list of
    fixed length, as ``Dataset.batches`` has them, which takes the other arguments, too. The metadata hold the game, what
    it was made with and ``ENCODING``. The file is there as a whole or not at all. ``FileExistsError`` if there is one.
    """
    import pyarrow
    import pyarrow.parquet

    target = Path(path)
    if target.exists():
        raise FileExistsError(f"{target}: expected no file, found one")
    columns = [
        ("game", pyarrow.uint32()),
        ("ply", pyarrow.int32()),
        ("sfen", pyarrow.string()),
        ("score", pyarrow.int16()),
        ("result", pyarrow.int8()),
        ("action", pyarrow.int32()),
    ]
    size = math.prod(spec(dataset.game).planes_shape)
    if planes:
        columns.append(("planes", pyarrow.list_(pyarrow.uint8(), size)))
    metadata = {**dataset.settings, "game": dataset.game, "encoding": str(ENCODING)}
    schema = pyarrow.schema(columns, metadata=metadata)
    stream = dataset.batches(1 << 14, planes=planes, sfen=True, **batches)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            with pyarrow.parquet.ParquetWriter(file, schema) as writer:
                for batch in stream:
                    found: dict[str, Any] = dict(batch)
                    arrays = [pyarrow.array(found[name].reshape(-1)) for name, _ in columns]
                    if planes:
                        arrays[-1] = pyarrow.FixedSizeListArray.from_arrays(arrays[-1], size)
                    writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
