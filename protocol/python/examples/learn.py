"""A tiny learning loop in plain numpy: a linear policy learns from games of self-play, and plays without search.

    learn.py [SECONDS [GAMES]]

Learns for so many seconds (20) from positions that the engine searched, then scores so many games (40) against a player
who moves at random.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whaleshogi
from whaleshogi import VectorBoards, data

GAME: whaleshogi.GameName = "whale"
SPEC = whaleshogi.spec(GAME)
INPUTS, ACTIONS = int(np.prod(SPEC.planes_shape)), SPEC.num_actions
HIDDEN = 128


class Policy:
    """One hidden layer, trained by Adam to name the move that the search chose."""

    def __init__(self, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.weights = [
            (random.standard_normal((INPUTS, HIDDEN)) / 10).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (random.standard_normal((HIDDEN, ACTIONS)) / 20).astype(np.float32),
            np.zeros(ACTIONS, np.float32),
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def logits(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
        inputs = planes.reshape(len(planes), -1).astype(np.float32)
        first, bias, second, last = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        return inputs, hidden, hidden @ second + last

    def choose(self, planes: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """The legal action that it likes best."""
        best: NDArray[np.intp] = np.where(masks, self.logits(planes)[-1], -np.inf).argmax(axis=1)
        return best.astype(np.int32)

    def learn(self, planes: NDArray[np.uint8], actions: NDArray[np.int32]) -> float:
        inputs, hidden, logits = self.logits(planes)
        logits = logits - logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        rows = np.arange(len(actions))
        loss = float(-np.log(chances[rows, actions] + 1e-9).mean())
        chances[rows, actions] -= 1
        chances /= len(actions)
        back = (chances @ self.weights[2].T) * (hidden > 0)
        self.step([inputs.T @ back, back.sum(0), hidden.T @ chances, chances.sum(0)])
        return loss

    def step(self, gradients: list[NDArray[np.float32]], rate: float = 1e-3) -> None:
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self.moments, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            mean_now, square_now = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            weight -= rate * mean_now / (np.sqrt(square_now) + 1e-8)


def score(policy: Policy, games: int, seed: int = 1) -> float:
    """Its share of the points against a random mover: it has Black in one half of the games, White in the other."""
    random = np.random.default_rng(seed)
    boards = VectorBoards(GAME, games, threads=2, max_plies=300, random_plies=(2, 2), seed=seed)
    ours = np.arange(games) % 2
    points, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        masks, turn = boards.masks(), boards.turn
        actions = policy.choose(boards.planes(), masks)
        for i in np.flatnonzero(turn != ours):
            actions[i] = random.choice(np.flatnonzero(masks[i]))
        # Games that are over begin anew and are not counted again.
        rewards, terminated, truncated = boards.step(actions)
        ended = (terminated | truncated) & ~over
        points[ended] = 0.5 + np.where(turn == ours, rewards, -rewards)[ended] / 2
        over |= ended
    return float(points.mean())


def main() -> None:
    seconds, games = (float(sys.argv[1]) if len(sys.argv) > 1 else 20.0), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    policy, end = Policy(), time.monotonic() + seconds
    print(f"untrained: {score(policy, games):.0%}")
    with tempfile.TemporaryDirectory() as folder:
        file, played = Path(folder) / "games.ktd", 0
        while time.monotonic() < end:
            played += max(40, int(4 * seconds))
            dataset = data.generate(file, GAME, games=played, nodes=200, threads=2, random_plies=(2, 10), random_move=0.1)
            losses: list[float] = []
            stop = min(end, time.monotonic() + seconds / 3)
            while not losses or time.monotonic() < stop:
                for batch in dataset.batches(256, planes=True, shuffle=100_000, seed=policy.steps, mirror=True):
                    known = batch["action"] >= 0
                    losses.append(policy.learn(batch["planes"][known], batch["action"][known]))
                    if time.monotonic() > stop:
                        break
            print(f"{dataset}, {policy.steps} steps, loss {np.mean(losses[-50:]):.2f}")
    print(f"trained: {score(policy, games):.0%}")


if __name__ == "__main__":
    main()
