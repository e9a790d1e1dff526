"""The stored tables in the data of 3.11, and with many requests in flight: the same sets of rows."""

import story
import test_tables

LEVEL = ("-compat", "level=3.11")
THREADS = 16


class TablesOf311(test_tables.TablesStory):
    """What 3.11.5 wrote."""


class ManyOf311(test_tables.TablesStory):
    """The same with many requests in flight."""


class Many(test_tables.TablesStory):
    """What 5.0.2 wrote, with many requests in flight."""


test_tables.add_stories(TablesOf311, "c3.jsonl", *LEVEL)
test_tables.add_stories(ManyOf311, "c3.jsonl", *LEVEL, threads=THREADS)
test_tables.add_stories(Many, "c4.jsonl", threads=THREADS)

if __name__ == "__main__":
    story.main()
