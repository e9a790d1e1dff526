"""Talks to the person at the terminal and listens to the signals they send."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from .errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def say(text: str) -> None:
    """Progress goes to stderr: stdout holds only what scripts read."""
    print(text, file=sys.stderr, flush=True)


class Signals:
    """Turns the ending signals into Interrupted, but never inside hold()."""

    def __init__(self) -> None:
        self._held = False
        self._pending = False

    def install(self) -> None:
        """Take over the ending signals of this process."""
        for number in _SIGNALS:
            signal.signal(number, self._arrived)

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        if self._held:
            self._pending = True
        else:
            raise Interrupted

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """What is done inside is done as a whole; a signal takes effect right after it."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._pending:
            self._pending = False
            raise Interrupted


signals = Signals()
