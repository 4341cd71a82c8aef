"""What the numbers of planes and actions mean: constant within a version of ``ENCODING``, see ``docs/encoding.md``."""

from __future__ import annotations

from whaleshogi._native import ENCODING, action_names, check_actions, plane_names

__all__ = ["ENCODING", "action_names", "check_actions", "plane_names"]
