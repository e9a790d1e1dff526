"""The two ways in which a command of the kit ends early."""

from __future__ import annotations


class KitError(Exception):
    """Something the user can act on; the text says where, what and what to do."""


class Interrupted(Exception):
    """Ctrl-C, SIGTERM or SIGHUP: what was half started is taken down again."""
