"""Measures the package beside other parsers, in one run.

    pip install Protego==0.7.0 robotspy==0.13.0 fast-robotstxt==1.1.0 fastrobots==0.3.0
    PYTHONPATH=src:tests python bench.py FOLDER >../benchmarks/results/python.md

The last two are Google's parser in C++ and a parser in Rust, which cargo builds; each may be
absent. FOLDER has real robots.txt files. Times are of the processor, the least of several rounds in
which all parsers take turns. The exit status is 0 also if a goal is missed: the table says so.
"""

from __future__ import annotations

import gc
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import robots as robotspy
from protego import Protego

import kosterhq_robotstxt
import vectors

ROUNDS = 7
AGENT = "FooBot"
WILDCARDS = "User-agent: *\n" + "".join(f"Disallow: /shop{i}/*/item*.html$\n" for i in range(500))


def theirs(text: str) -> RobotFileParser:
    """Parses with the standard library."""
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return parser


Ask = Callable[[str], Any]
OURS = "kosterhq_robotstxt"
Parser = Tuple[Callable[[str], Any], Callable[..., Ask], str]
PARSERS: Dict[str, Parser] = {
    OURS: (
        lambda text: kosterhq_robotstxt.parse(text, "google", limit=None),
        lambda robots, agent=AGENT: robots.rules(agent).allowed,
        "kosterhq_robotstxt",
    ),
    "urllib.robotparser": (theirs, lambda parser, agent=AGENT: lambda url: parser.can_fetch(agent, url), "urllib.robotparser"),
    "Protego 0.7.0": (Protego.parse, lambda parser, agent=AGENT: lambda url: parser.can_fetch(url, agent), "protego"),
    "robotspy 0.13.0": (robotspy.RobotsParser.from_string, lambda parser, agent=AGENT: lambda url: parser.can_fetch(agent, url), "robots"),
}
try:
    from robotstxt import RobotsMatcher

    matcher = RobotsMatcher()
    PARSERS["fast-robotstxt 1.1.0"] = (str, lambda text, agent=AGENT: lambda url: matcher.is_allowed(text, agent, url), "robotstxt")
except ImportError:
    pass
try:
    import fastrobots

    def path_of(url: str) -> str:
        """Returns a path and query, which fastrobots takes."""
        parts = urlsplit(url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    PARSERS["fastrobots 0.3.0"] = (
        fastrobots.Robots.parse,
        lambda robots, agent=AGENT: lambda url: robots.allowed(path_of(url), agent),
        "fastrobots",
    )
except ImportError:
    pass


def least(work: Dict[str, Callable[[], Any]], count: int) -> Dict[str, float]:
    """Returns the least time of each, divided by a count, in microseconds."""
    best = dict.fromkeys(work, float("inf"))
    for _ in range(ROUNDS):
        for name, run in work.items():
            begin = time.process_time()
            run()
            best[name] = min(best[name], (time.process_time() - begin) / count * 1e6)
    return best


def verdicts(texts: List[str], urls: List[str]) -> Tuple[Dict[str, float], Dict[str, float]]:
    """Returns the times of a first verdict after parsing, and of a later one."""
    first, later = {}, {}
    for name, (parse, asker, _) in PARSERS.items():

        def ask_first(name: str = name, parse: Callable[[str], Any] = parse, asker: Callable[[Any], Ask] = asker) -> float:
            parsed = [parse(text) for text in texts]
            begin = time.process_time()
            for robots in parsed:
                asker(robots)(urls[0])
            return (time.process_time() - begin) / len(texts) * 1e6

        def ask_later(asks: List[Ask]) -> float:
            begin = time.process_time()
            for ask in asks:
                for url in urls:
                    ask(url)
            return (time.process_time() - begin) / len(asks) / len(urls) * 1e6

        first[name] = min(ask_first() for _ in range(ROUNDS))
        asks = [asker(parse(text)) for text in texts]
        for ask in asks:
            ask(urls[0])
        later[name] = min(ask_later(asks) for _ in range(ROUNDS))
    return first, later


def import_time(module: str) -> float:
    """Returns the time of an import in milliseconds, from bytecode, which pip writes when it installs."""
    code = f"import time; begin = time.process_time(); import {module}; print(time.process_time() - begin)"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-c", code]
        times = [float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS)]
    return min(times) * 1e3


def memory(name: str, folder: str) -> float:
    """Returns the memory of the parsed files in a folder, in MB, as the system counts it: parsers in C++ and Rust have their own."""
    code = "import sys, bench; bench.print_memory(*sys.argv[1:])"
    command = [sys.executable, "-c", code, name, folder]
    return float(subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout)


def print_memory(name: str, folder: str) -> None:
    """Prints it for this process."""
    parse, ask, _ = PARSERS[name]
    ask(parse(WILDCARDS))("https://shop.example/")
    before = resident()
    kept = []
    for path in sorted(Path(folder).glob("*.txt")):
        body = path.read_bytes()
        kept.append(parse(body if name == OURS else body.decode("utf-8", "replace")))
    gc.collect()
    print((resident() - before) / 1e6)


def resident() -> int:
    """Returns how many bytes this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def right(name: str) -> List[bool]:
    """Returns for each check of the conformance kit whether the verdict is that of Google's parser. One that takes a minute is not."""
    found: List[bool] = []
    while True:
        command = [sys.executable, "-c", "import sys, bench; bench.print_right(*sys.argv[1:])", name, str(len(found))]
        try:
            done = subprocess.run(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True, timeout=60)
            return found + [line == b"True" for line in done.stdout.splitlines()]
        except subprocess.TimeoutExpired as late:
            found += [line == b"True" for line in (late.stdout or b"").splitlines()] + [False]


def print_right(name: str, first: str) -> None:
    """Prints them from an index on: those of one token, the google dialect and UTF-8."""
    parse, ask, _ = PARSERS[name]
    at = 0
    for check in vectors.checks():
        try:
            body, url, (token,) = check.body.decode(), check.url.decode(), (token.decode() for token in check.tokens)
        except ValueError:
            continue
        if check.dialect != "google":
            continue
        at += 1
        if at <= int(first):
            continue
        try:
            parsed = parse(body)
            # Quotes are for tokens with spaces; bytes are a URL as it was sent.
            verdict = parsed.rules(f'"{token}"', exact=True).allowed(check.url) if name == OURS else ask(parsed, token)(url)
            print(bool(verdict) == check.allowed, flush=True)
        except Exception:  # no answer is none that is right
            print(False, flush=True)


def main(folder: str) -> None:
    """Prints the table."""
    names = sorted(Path(folder).glob("*.txt"))
    random.Random(53).shuffle(names)
    texts = [name.read_bytes().decode("utf-8", "replace") for name in names[:300]]
    urls = [
        f"https://shop.example/{path}"
        for path in ("", "a/b/c.html", "search?q=tea&page=2", "shop499/x/item7.html", "wp-admin/x.php", "img/%C3%BC.png")
    ]
    rows = [
        (
            "parse, mean of 300 real files, µs",
            least({name: lambda p=p: [p(text) for text in texts] for name, (p, _, _) in PARSERS.items()}, len(texts)),
        )
    ]
    first, later = verdicts(texts, urls)
    rows.append(("parse and first verdict about a real file, µs", {name: rows[0][1][name] + first[name] for name in PARSERS}))
    rows += [("first verdict about a real file, µs", first), ("later verdict about a real file, µs", later)]
    first, later = verdicts([WILDCARDS], urls)
    rows += [("first verdict, 500 rules with wildcards, µs", first), ("later verdict, 500 rules with wildcards, µs", later)]
    rows.append(("import, ms", {name: import_time(module) for name, (_, _, module) in PARSERS.items()}))
    rows.append((f"memory of all {len(names):,} files, MB", {name: memory(name, folder) for name in PARSERS}))

    ours, standard, protego, *_ = PARSERS
    checked = {name: right(name) for name in PARSERS}
    print("# Parsers in Python\n")
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}; `python/bench.py` prints this page. The machine may have had other work.\n"
    )
    print("| | " + " | ".join(PARSERS) + " |")
    print("|---|" + "---|" * len(PARSERS))
    for title, times in rows:
        print(f"| {title} | " + " | ".join(f"{times[name]:.3g}" if times[name] < 1000 else f"{times[name]:,.0f}" for name in PARSERS) + " |")
    print(f"| verdicts of Google's parser, of {len(checked[ours]):,} | " + " | ".join(f"{sum(checked[name]):,}" for name in PARSERS) + " |")
    print("\nThe last row counts the checks of the [conformance kit](conformance.md) in which a parser decides as Google's does. fast-robotstxt is")
    print(
        "Google's parser with additions; it reads the whole text for each verdict, so its first two rows say nothing. fastrobots is written in Rust."
    )
    print("urllib.robotparser reads no wildcards. The package makes a rule when the first path that begins as it does is asked about, the others")
    print("make all rules when they parse. Memory is that of a process after it has parsed all files from bytes, without the bytes.\n")
    for absent in ("fast-robotstxt 1.1.0", "fastrobots 0.3.0"):
        if absent not in PARSERS:
            print(f"{absent} could not be had on this machine.\n")
    print("| goal | |\n|---|---|")
    (_, parsing), (_, both), (_, real1), (_, real), (_, wild1), (_, wild), (_, imports), _ = rows
    for goal, is_met in (
        ("parse: not above urllib", parsing[ours] <= parsing[standard]),
        ("parse: not above Protego", parsing[ours] <= parsing[protego]),
        ("parse and first verdict: not above urllib", both[ours] <= both[standard]),
        ("parse and first verdict: not above Protego", both[ours] <= both[protego]),
        ("first verdict about a real file: 3 × urllib at most", real1[ours] <= 3 * real1[standard]),
        ("first verdict about a real file: 2 × Protego at most", real1[ours] <= 2 * real1[protego]),
        ("later verdict about a real file: 3 × urllib at most", real[ours] <= 3 * real[standard]),
        ("later verdict about a real file: 2 × Protego at most", real[ours] <= 2 * real[protego]),
        ("first verdict, wildcards: 3 × urllib at most", wild1[ours] <= 3 * wild1[standard]),
        ("first verdict, wildcards: 2 × Protego at most", wild1[ours] <= 2 * wild1[protego]),
        ("later verdict, wildcards: 3 × urllib at most", wild[ours] <= 3 * wild[standard]),
        ("later verdict, wildcards: 2 × Protego at most", wild[ours] <= 2 * wild[protego]),
        ("import: under 20 ms", imports[ours] < 20),
    ):
        print(f"| {goal} | {'met' if is_met else '**missed**'} |")


if __name__ == "__main__":
    main(sys.argv[1])
