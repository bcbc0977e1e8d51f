"""Answers on the command line: python -m kosterhq_robotstxt FILE AGENT URL..."""

from __future__ import annotations

import os
import sys
from typing import List

from .core import DEFAULT_LIMIT, parse

_USAGE = """usage: python -m kosterhq_robotstxt FILE AGENT URL...

Says for each URL whether the crawler may fetch it, and which line of the file decides. FILE is
a robots.txt, "-" for standard input. The exit status is 0 if all URLs are allowed, 1 if one is
not, 2 after an error.
"""


def main(arguments: List[str]) -> int:
    """Runs the command, and returns its exit status."""
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(_USAGE)
        return 0
    if len(arguments) < 3:
        sys.stderr.write(_USAGE)
        return 2
    name, agent, *urls = arguments
    try:
        if name == "-":
            body = sys.stdin.buffer.read(DEFAULT_LIMIT + 1)
        else:
            with open(name, "rb") as file:
                body = file.read(DEFAULT_LIMIT + 1)
        rules = parse(body).rules(agent)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"kosterhq_robotstxt: {error}\n")
        return 2
    verdicts = [rules.verdict(url) for url in urls]
    try:
        for url, (allowed, line) in zip(urls, verdicts):
            word = "allowed" if allowed else "disallowed"
            place = f" by line {line}" if line else ""
            print(f"{word}{place}: {url}".encode("utf-8", "backslashreplace").decode())
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on, and Python's own flush at the end would fail too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
