"""Measures the package beside urllib.robotparser, Protego and robotspy, in one run.

    pip install Protego==0.7.0 robotspy==0.13.0
    PYTHONPATH=src python bench.py FOLDER >../benchmarks/results/python.md

FOLDER has real robots.txt files. Times are of the processor, the least of several rounds in
which all parsers take turns. The exit status is 0 also if a goal is missed: the table says so.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple
from urllib.robotparser import RobotFileParser

import robots as robotspy
from protego import Protego

import kosterhq_robotstxt

ROUNDS = 7
AGENT = "FooBot"
WILDCARDS = "User-agent: *\n" + "".join(f"Disallow: /shop{i}/*/item*.html$\n" for i in range(500))


def theirs(text: str) -> RobotFileParser:
    """Parses with the standard library."""
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return parser


Ask = Callable[[str], Any]
PARSERS: Dict[str, Tuple[Callable[[str], Any], Callable[[Any], Ask], str]] = {
    "kosterhq_robotstxt": (lambda text: kosterhq_robotstxt.parse(text, limit=None), lambda robots: robots.rules(AGENT).allowed, "kosterhq_robotstxt"),
    "urllib.robotparser": (theirs, lambda parser: lambda url: parser.can_fetch(AGENT, url), "urllib.robotparser"),
    "Protego 0.7.0": (Protego.parse, lambda parser: lambda url: parser.can_fetch(url, AGENT), "protego"),
    "robotspy 0.13.0": (robotspy.RobotsParser.from_string, lambda parser: lambda url: parser.can_fetch(AGENT, url), "robots"),
}


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


def memory(parse: Callable[[str], Any], texts: List[str]) -> float:
    """Returns the memory of a parsed file beside its text, in KB."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [parse(text) for text in texts]
    size = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return size / len(kept) / 1e3


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
    rows.append(("memory of a parsed file, KB", {name: memory(parse, texts) for name, (parse, _, _) in PARSERS.items()}))

    ours, standard, protego, _ = PARSERS
    print("# Parsers in Python\n")
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}; `python/bench.py` prints this page. The machine may have had other work.\n"
    )
    print("| | " + " | ".join(PARSERS) + " |")
    print("|---|" + "---|" * len(PARSERS))
    for title, times in rows:
        print(f"| {title} | " + " | ".join(f"{times[name]:.3g}" if times[name] < 1000 else f"{times[name]:,.0f}" for name in PARSERS) + " |")
    print("\nurllib.robotparser reads no wildcards, and Protego and robotspy decide otherwise than Google's parser in places. The package makes")
    print("a rule when the first path that begins as it does is asked about, the others make all rules when they parse.\n")
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
