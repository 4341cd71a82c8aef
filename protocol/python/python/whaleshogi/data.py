"""Training data: files of self-play (``.ktd``) as arrays.

    dataset = whaleshogi.data.generate("games.ktd", "whale", games=100, nodes=500)
    for batch in dataset.batches(256, planes=True, quiet=3000, shuffle=100_000):
        batch["planes"], batch["action"], batch["result"]
"""

from __future__ import annotations

from os import PathLike

from whaleshogi._native import Dataset, generate

__all__ = ["Dataset", "generate", "open"]


def open(*paths: str | PathLike[str]) -> Dataset:
    """The files of one game. Each is read once to count it, and its check sums are compared."""
    return Dataset(*paths)
