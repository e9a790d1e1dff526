"""The three shells themselves read the completion scripts, and complete with them."""

import subprocess
import unittest

import program

# What is typed, and some of what is offered. The last word is being typed.
CASES = {
    "a command": (["cstress", "wr"], {"write"}),
    "a group": (["cstress", "write", "n=5", "-ra"], {"-rate"}),
    "a parameter of the command": (["cstress", "write", "n"], {"n=", "n<", "n>", "no-warmup"}),
    "a parameter of a group": (["cstress", "write", "-rate", "thr"], {"threads=", "threads>=", "throttle="}),
    "a list": (["cstress", "write", "-schema", "rep"], {"replication("}),
    "the command behind check": (["cstress", "check", "us"], {"user"}),
    "a parameter behind check": (["cstress", "check", "write", "n"], {"n="}),
    "the program's other name": (["cassandra-stress", "mix"], {"mixed"}),
}
BASH = """
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
read -ra spec < <(complete -p "$1")
"${spec[2]}" 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
# compadd works only inside of a line that is being edited: what it is given is what it would offer.
ZSH_BEFORE = """
typeset -A completers
compdef() { for name in ${@[2,-1]}; do completers[$name]=$1; done }
compadd() { print -rl -- ${@[${@[(i)--]} + 1, -1]} }
"""
ZSH = """
words=("$@"); CURRENT=$#
$completers[$1]
"""
FISH = """
complete -C (string join -- " " $argv)
"""


def offered(shell, script, words):
    """What the shell offers for the last word; nothing else may be said."""
    command = {"bash": ["bash", "--norc", "-c", script + BASH, "bash"],
               "zsh": ["zsh", "-f", "-c", ZSH_BEFORE + script + ZSH, "zsh"],
               "fish": ["fish", "--no-config", "-c", script + FISH]}[shell]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode or done.stderr:
        raise AssertionError(f"{shell} {words}: status {done.returncode}: {done.stderr}")
    lines = (line.split("\t")[0] for line in done.stdout.splitlines())
    return {line for line in lines if line.startswith(words[-1])}


class Completion(unittest.TestCase):
    def test_each_shell_offers_what_can_follow(self):
        for shell in "bash", "zsh", "fish":
            script = program.run(["help", "completion", shell]).stdout
            for what, (words, wanted) in CASES.items():
                with self.subTest(shell=shell, what=what):
                    self.assertLessEqual(wanted, offered(shell, script, words))


if __name__ == "__main__":
    unittest.main()
