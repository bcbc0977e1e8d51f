"""The Robots Exclusion Protocol: the verdicts of Google's parser, with the deciding line.

    from kosterhq_robotstxt import parse

    rules = parse("User-agent: *\\nDisallow: /cart").rules("GPTBot")
    rules.verdict("https://shop.example/cart")  # Verdict(allowed=False, line=2)

The module client fetches the files of sites, and scrapy does so within Scrapy; robotparser
replaces the parser of the standard library. Only they and the names of __all__ are for programs.
"""

from .core import (
    DEFAULT_LIMIT,
    BodyKind,
    Decision,
    Dialect,
    MatchedBy,
    Reason,
    Robots,
    Row,
    Rule,
    Rules,
    Verdict,
    allowed_many,
    parse,
)
from .policies import Policy

__all__ = [
    "DEFAULT_LIMIT",
    "BodyKind",
    "Decision",
    "Dialect",
    "MatchedBy",
    "Policy",
    "Reason",
    "Robots",
    "Row",
    "Rule",
    "Rules",
    "Verdict",
    "allowed_many",
    "parse",
]
__version__ = "0.1.0"
