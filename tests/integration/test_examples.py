"""Every example runs as its comment says."""

import re
import shlex

import story


def command_of(path):
    """The words of the command in the comment at the top, joined over its lines."""
    text = re.sub(r"(?m)^# ?", "", "".join(re.findall(r"(?m)^#.*\n", path.read_text())))
    found = re.search(r"(?m)^ *cstress ((?:.*\\\n)*.*)$", text)
    assert found, f"{path} does not say how to run it"
    return shlex.split(found[1].replace("\\\n", " "))


class Examples(story.Story):
    def run_example(self, path):
        text = path.read_text()
        keyspace = re.search(r"(?m)^keyspace: (\w+)", text)[1]
        table = re.search(r"(?m)^table: (\w+)", text)[1]
        self.client.drop(keyspace)
        self.addCleanup(self.client.drop, keyspace)
        words = [word.replace("profile=examples/", f"profile={story.EXAMPLES}/")
                 for word in command_of(path)]
        words[words.index("-node") + 1] = self.node
        run = self.good(*words)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertGreater(self.client.count(f"{keyspace}.{table}"), 0)


def story_of(path):
    def run_example(self):
        self.run_example(path)
    return run_example


for one in sorted(story.EXAMPLES.glob("*.yaml")):
    setattr(Examples, f"test_{one.stem}", story_of(one))


if __name__ == "__main__":
    story.main()
