"""What a site's answers mean, and what applies after them: fetch/state.go does the same.

Times are in seconds of a clock that is not set back.
"""

from __future__ import annotations

import random
from typing import NamedTuple, Optional, Tuple

from . import policies
from .core import Robots


class Policy:
    """What the classes of statuses mean: a row of docs/policies.md."""

    def __init__(self, name: str) -> None:
        if name not in policies.POLICIES:
            raise ValueError(f"there is no policy {name!r}: use {', '.join(policies.POLICIES)}")
        self.name = name
        self._effects, self._fresh, self.redirects, self.until_found, self.on_evidence = policies.POLICIES[name]

    def effect_of(self, kind: str) -> str:
        """Returns what a class means that is no fault: file, allow-all or disallow-all."""
        return self._effects[kind]

    def follows(self, status: int) -> bool:
        """Reports whether a status with a target is a redirect."""
        return class_of(status) == "redirect" or (status == 300 and self.until_found)

    def read(self, status: int, robots: Optional[Robots] = None) -> str:
        """Returns the class of a response, unreachable if it leaves the rules unknown."""
        kind = class_of(status)
        is_fault = (kind == "undefined" and self.effect_of(kind) == "disallow-all") or (self.on_evidence and kind in ("rejected", "forbidden"))
        if kind == "file" and self.on_evidence and robots is not None:
            is_fault = robots.body in ("html", "binary") or (robots.truncated and robots.body == "empty")
        return "unreachable" if is_fault else kind

    def fresh(self, kind: str) -> int:
        """Returns how long an answer is fresh."""
        return self._fresh if kind in ("file", "empty-file") else min(self._fresh, policies.NO_FILE_FRESH)

    def outage(self, lasts: float, has_copy: bool) -> str:
        """Returns what applies while the file has been unreachable for a time."""
        return next(copy if has_copy else nocopy for over, copy, nocopy in policies.OUTAGES[self.name] if lasts > over)


def class_of(status: int) -> str:
    """Returns the class of a status."""
    return next((kind for first, kind in reversed(policies.STATUSES.items()) if status >= first), "unreachable")


class State(NamedTuple):
    """What is known about a site. It is not changed: each attempt makes a new one."""

    checked_at: float = 0.0
    kind: str = ""
    """The class of the last answer that was no fault, "" if there was none."""
    robots: Optional[Robots] = None
    answered_at: float = 0.0
    tries: int = 0
    """How many attempts have failed since."""
    failed_at: float = 0.0
    next_try: float = 0.0

    def after(self, kind: str, status: int, robots: Optional[Robots], now: float, retry_after: float = 0.0) -> State:
        """Returns the state after an attempt."""
        if kind not in ("unreachable", "redirect"):
            return State(now, kind, robots, now)
        ongoing = self.tries > 0 and now - self.checked_at <= policies.OUTAGE_GAP
        tries = self.tries + 1 if ongoing else 1
        last = policies.LAST_503 if status == 503 else policies.LAST_WAIT
        wait = min(policies.FIRST_WAIT * 2.0 ** min(tries - 1, 20), last) * random.uniform(0.8, 1.2)
        wait = max(wait, min(retry_after, policies.LONGEST_RETRY_AFTER))
        return self._replace(checked_at=now, tries=tries, failed_at=self.failed_at if ongoing else now, next_try=now + wait)

    def needs_try(self, policy: Policy, now: float) -> bool:
        """Reports whether it is time for another attempt."""
        return now >= self.next_try and not self._is_fresh(policy, now)

    def judge(self, policy: Policy, now: float) -> Tuple[str, Optional[Robots]]:
        """Returns what applies: file with its rules, allow-all or disallow-all."""
        if self.kind and (not self.tries or self._is_fresh(policy, now)):
            effect = policy.effect_of(self.kind)
        else:
            lasts = 0.0 if now - self.checked_at > policies.OUTAGE_GAP else now - self.failed_at
            has_copy = self.kind in ("file", "empty-file") and not (policy.on_evidence and now - self.answered_at >= policies.EVIDENCE_LASTS)
            effect = policy.outage(lasts, has_copy)
        return ("file", self.robots) if effect in ("file", "copy") else (effect, None)

    def _is_fresh(self, policy: Policy, now: float) -> bool:
        return bool(self.kind) and now - self.answered_at < policy.fresh(self.kind)
