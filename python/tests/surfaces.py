"""Answers questions that it reads as JSON, one on each line; cmd/robots asks and compares."""

import base64
import json
import sys
from functools import lru_cache

from kosterhq_robotstxt import parse


@lru_cache(maxsize=256)
def parsed(body, dialect):
    return parse(base64.b64decode(body), dialect=dialect)


for line in sys.stdin:
    question = json.loads(line)
    robots = parsed(question["body_base64"] or "", question.get("dialect"))
    try:
        rules = robots.rules(question["agent"])
    except ValueError:
        print(json.dumps({"verdict": "unknown"}))
        continue
    allowed, number = rules.verdict(question["url"])
    print(json.dumps({"verdict": "allowed" if allowed else "disallowed", "line": number, "matched_by": rules.matched_by, "dialect": rules.dialect}))
