"""Control groups of processor time: one that goes before all other programs, and inside it one with a quota."""

import contextlib
import os

PERIOD_US = 100_000
# By version: the folder of all groups, the files of a weight and of a quota and what stands in them.
VERSIONS = (
    ("/sys/fs/cgroup/cpu", ("cpu.shares", "262144"), ("cpu.cfs_quota_us", "{quota}"), ()),
    ("/sys/fs/cgroup", ("cpu.weight", "10000"), ("cpu.max", "{quota} {period}"), ("cgroup.subtree_control", "+cpu")),
)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(text)


def usable(version):
    root, (weight, _), _, _ = version
    for name in sorted(os.listdir(root) if os.path.isdir(root) else ()):
        if os.access(os.path.join(root, name, weight), os.W_OK):
            return True
    return os.access(os.path.join(root, "cgroup.procs"), os.W_OK) and os.access(os.path.join(root, weight), os.R_OK)


class Groups:
    """The groups of one situation; gone when it is over."""

    def __init__(self):
        self.version = next((version for version in VERSIONS if usable(version)), None)
        self.made = []

    def make(self, *path, inside=False):
        """inside: groups will be made in it."""
        root, _, _, divided = self.version
        folder = os.path.join(root, f"cstress-bench-{os.getpid()}", *path)
        os.mkdir(folder)
        self.made.append(folder)
        if inside and divided:
            write(folder, *divided)
        return folder

    def first(self):
        """Words that start a program before those of others on this machine."""
        if not self.version:
            return []
        write(self.make(inside=True), *self.version[1])
        return words(self.make("all"))

    def quota(self, share, outer):
        """Words that start a program with this share of one processor; outer: the quota is that of the group around
        its own."""
        folder = self.make("client", inside=outer)
        name, form = self.version[2]
        write(folder, name, form.format(quota=int(share * PERIOD_US), period=PERIOD_US))
        return words(self.make("client", "inner") if outer else folder)

    def remove(self):
        for folder in reversed(self.made):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        self.made = []


def words(folder):
    return ["sh", "-c", f'echo $$ > {folder}/cgroup.procs && exec "$@"', "sh"]
