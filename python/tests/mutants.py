"""Breaks the core in one place after another, and runs the tests on each broken copy.

    python3 tests/mutants.py [QUESTIONS]

A mutant that no test finds is an error. QUESTIONS are the decisions that TestCores of
internal/test/enginetest writes for differential.py; they are asked where the other tests find nothing.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
MUTANTS = {
    "body.py": [
        ("2083 * 8 - 1", "2083 * 8"),
        ("user[- ]?agent", "user-?agent"),
        ("|allaw)|diasllow", ")"),
        (r"(?:\xef(?:\xbb\xbf?)?)?", r"(?:\xef\xbb\xbf)?"),
        ("if group is None or is_ruled:", "if group is None:"),
        ("if value or wildcards:", "if value:"),
        ("first = len(group.agents)", "first = 0"),
        ("if traits.drop_star and", "if False and"),
        ('value[:1] == "*" and (len(value) == 1 or value[1] in SPACE)', 'value == "*"'),
        ("2 * len(self.pattern) + allow", "2 * len(self.pattern)"),
        ("2 * len(self.pattern) + allow", "2 * len(self.text) + allow"),
        ('.partition("/index.htm")[0]', ""),
        ('folder + "/$"', 'folder + "/"'),
        ("slashed.find(pieces[i], start, end)", "slashed.find(pieces[i], start)"),
        ("if at < start or", "if at <= start or"),
        ("if at < max(start, query)", "if at < start"),
        ("slashed.find(others[i], max(start, query), end)", "slashed.find(others[i], start, end)"),
        ("or len(self.text)", "or 0"),
    ],
    "core.py": [
        ("match.weight > best.weight", "match.weight >= best.weight"),
        ("rule.weight > best.weight and not traits.records", "rule.weight > best.weight"),
        ("groups[label][:1] if traits.records else", ""),
        ('(label == "*" and reading.is_named_only)', "False"),
        (r'octets[limit] in "\r\n"', r'octets[limit] in "\n"'),
        ("best.allow or not best.pattern", "best.allow"),
        ("max(delays", "min(delays"),
        ("at < len(named) and named[at] < end", "at < len(named)"),
    ],
    "dialect.py": [
        ("return code.upper() if len(code) > 1", "return code if len(code) > 1"),
        ('code == "*" and is_rule', 'code == "*"'),
        ('("%", "%2F", "%25")', '("%", "%2F")'),
        (r'_google_literal = re.compile("[^%*$\x80-\xff]*")', r'_google_literal = re.compile("[^%*$]*")'),
        (r'_rfc_literal = re.compile(r"[\w.~&=/-]*"', r'_rfc_literal = re.compile(r"[\w.~?&=/-]*"'),
        ('_koster_literal = re.compile("[^%]*")', '_koster_literal = re.compile(".*")'),
    ],
    "path.py": [
        ("if found < 0:", "if found < 1:"),
        ('"/\\\\.|/%2E|', '"/\\\\.|'),
        ("%(?![0-9A-F]{2})", "%(?![0-9A-Fa-f]{2})"),
    ],
    "url.py": [
        ("elif dots[1] and segments:", "elif segments:"),
        (r'_slashes = re.compile(r"[/\\]")', '_slashes = re.compile("/")'),
        (r"_in_path = re.compile('[\0-\x20", r"_in_path = re.compile('[\0-\x1f"),
        ("or re.search(_DISALLOWED, name)", ""),
        ("has_directions = any(", "has_directions = not any("),
        ("name += labels[i]", "pass"),
        ("combining(c) == 9 or", ""),
        ("256 ** (5 - len(parts))", "256"),
    ],
    "reading.py": [
        ("given == 1 and", ""),
        ('and fold(text) != "mozilla"', ""),
    ],
    "header.py": [
        ("if word.floor < compatible:", "if word.floor < 0:"),
        ("if word.depth == 0:\n        return word.is_versioned", "if word.depth == 0:\n        return False"),
        ("depth = max(depth - 1, 0)", "depth -= 1"),
    ],
}


def finder(source, questions):
    """Returns which tests fail with a source, "" if all pass."""
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{TESTS}", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("test_conformance", "test_package"):
        command = [sys.executable, "-m", "unittest", "-f", name]
        if subprocess.run(command, cwd=TESTS.parent, env=environment, capture_output=True, check=False).returncode:
            return name
    if questions:
        with open(questions, "rb") as asked:
            if subprocess.run([sys.executable, TESTS / "differential.py"], stdin=asked, env=environment, capture_output=True, check=False).returncode:
                return "TestCores"
    return ""


def main(questions):
    """Returns the exit status: 1 if a mutant is not found."""
    count, missed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, changes in MUTANTS.items():
            for before, after in changes:
                source = Path(folder) / "src"
                shutil.copytree(TESTS.parent / "src", source)
                text = (source / "kosterhq_robotstxt" / name).read_text(encoding="utf-8")
                if text.count(before) != 1:
                    sys.exit(f"{name} has {before!r} {text.count(before)} times: want once")
                (source / "kosterhq_robotstxt" / name).write_text(text.replace(before, after), encoding="utf-8")
                found = finder(source, questions)
                shutil.rmtree(source)
                count, missed = count + 1, missed + (not found)
                print(f"{found or 'NOT FOUND'}: {name}: {before!r} -> {after!r}", flush=True)
    print(f"{count} mutants, {missed} not found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
