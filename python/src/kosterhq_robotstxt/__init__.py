"""The Robots Exclusion Protocol: the verdicts of Google's parser, with the deciding line.

    from kosterhq_robotstxt import parse

    rules = parse("User-agent: *\\nDisallow: /cart").rules("GPTBot")
    rules.verdict("https://shop.example/cart")  # Verdict(allowed=False, line=2)

The modules scrapy and robotparser replace the parsers of Scrapy and of the standard library.
Only they and the names of __all__ are for programs.
"""

from .core import DEFAULT_LIMIT, Decision, Robots, Rule, Rules, Verdict, allowed_many, parse

__all__ = ["DEFAULT_LIMIT", "Decision", "Robots", "Rule", "Rules", "Verdict", "allowed_many", "parse"]
__version__ = "0.1.0"
