"""Answers questions that it reads as JSON, one on each line after the files; cmd/robots asks and compares."""

import base64
import json
import sys
from functools import lru_cache

from kosterhq_robotstxt import parse

files = json.loads(sys.stdin.readline())  # base64, by name


@lru_cache(maxsize=256)
def parsed(name, dialect):
    return parse(base64.b64decode(files[name] or ""), dialect=dialect)


for line in sys.stdin:
    question = json.loads(line)
    robots = parsed(question["case"], question.get("dialect"))
    try:
        rules = robots.rules(question["agent"])
    except ValueError:
        print(json.dumps({"verdict": "unknown"}))
        continue
    allowed, number = rules.verdict(question["url"])
    print(json.dumps({"verdict": "allowed" if allowed else "disallowed", "line": number, "matched_by": rules.matched_by, "dialect": rules.dialect}))
