"""Processor time of the machine and of a process, as the kernel counts it."""

import os


def machine_seconds():
    """CPU seconds of the whole machine, and those stolen by the host."""
    with open("/proc/stat", encoding="ascii") as file:
        values = [int(word) for word in file.readline().split()[1:9]]
    tick = os.sysconf("SC_CLK_TCK")
    return (values[0] + values[1] + values[2] + values[5] + values[6]) / tick, values[7] / tick


def process_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
