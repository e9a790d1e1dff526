"""Whole runs as sequences of lines: those that take long (test_order.py has the others)."""

import story
import test_order


class SlowOrder(test_order.OrderStory):
    """A ramp over three steps, with its pauses."""


test_order.add_stories(SlowOrder, lambda name: name in test_order.SLOW)

if __name__ == "__main__":
    story.main()
