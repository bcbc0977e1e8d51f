"""What is known about a site, and what follows from it: fetch/state.go and fetch/verdict.go do the same."""

from __future__ import annotations

import base64
import json
import math
from random import uniform
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import policies
from .attempt import Attempt, Hop, Terms


class Found(NamedTuple):
    """A response that was not a fault."""

    of: str
    status: int
    url: str
    hops: Tuple[Hop, ...]
    next: Optional[str]
    """Where a redirect leads that was not followed."""
    at: float
    lifetime: Optional[float]
    truncated: bool
    body: bytes

    @property
    def is_file(self) -> bool:
        """Whether there is a file, which is a copy later."""
        return self.of in ("file", "empty-file")

    def fresh_for(self, terms: Terms) -> float:
        """Returns how long the answer is fresh."""
        most = terms.fresh_most if self.is_file else min(terms.fresh_most, policies.NO_FILE_FRESH)
        return min(terms.fresh if self.lifetime is None else max(self.lifetime, policies.MIN_FRESH), most)


class Failing(NamedTuple):
    """A run of failed attempts."""

    kind: str
    text: str
    status: int
    url: str
    hops: Tuple[Hop, ...]
    next: Optional[str]
    since: float
    tries: int
    next_try: float


class State(NamedTuple):
    """What is known about a site. Each attempt makes a new one."""

    checked_at: float = 0.0
    answer: Optional[Found] = None
    fault: Optional[Failing] = None

    def after(self, attempt: Attempt) -> State:
        """Returns the state after an attempt that is done."""
        a, now = attempt, attempt.terms.now()
        if a.fault is None:
            return State(now, Found(a.of, a.status, a.url, tuple(a.hops), a.next, now, a.lifetime, a.is_truncated, bytes(a.body)))
        last = self.fault if now - self.checked_at <= policies.OUTAGE_GAP else None
        tries = last.tries + 1 if last else 1
        most = policies.LAST_503 if a.status == 503 else policies.LAST_WAIT
        wait = min(policies.FIRST_WAIT * 2.0 ** min(tries - 1, 20), most) * uniform(0.8, 1.2)
        wait = max(wait, min(a.retry_after, policies.LONGEST_RETRY_AFTER))
        since = last.since if last and last.since <= now else now
        return State(now, self.answer, Failing(*a.fault, a.status, a.url, tuple(a.hops), a.next, since, tries, now + wait))

    def is_fresh(self, terms: Terms) -> bool:
        """Reports whether the answer is fresh. One from the future is not: one of the clocks was wrong."""
        return self.answer is not None and -policies.CLOCK_SKEW <= terms.now() - self.answer.at < self.answer.fresh_for(terms)

    def needs_try(self, terms: Terms) -> bool:
        """Reports whether it is time for another attempt."""
        wait = self.fault.next_try - terms.now() if self.fault else 0.0
        return not self.is_fresh(terms) and not 0 < wait <= policies.LONGEST_RETRY_AFTER + policies.CLOCK_SKEW

    def judge(self, terms: Terms) -> Tuple[str, bool]:
        """Returns what applies (file, copy, allow-all or disallow-all), and whether the policy alone decides."""
        answer, fault, now = self.answer, self.fault, terms.now()
        if answer and (not fault or self.is_fresh(terms)):
            return terms.effects[answer.of], False
        lasts = now - fault.since if fault and now - self.checked_at <= policies.OUTAGE_GAP else 0.0
        has_copy = answer is not None and answer.is_file
        if has_copy and terms.on_evidence:
            has_copy = -policies.CLOCK_SKEW <= now - answer.at < policies.EVIDENCE_LASTS  # type: ignore[union-attr]
        effect = next(copy if has_copy else nocopy for over, copy, nocopy in terms.outages if max(lasts, 0.0) > over)
        return effect, effect != "copy"


_FORM = b"robotstxt 2 "  # of the npm package too
_TYPES = {"of": str, "kind": str, "text": str, "url": str, "next": str, "body": str, "status": int, "tries": int, "truncated": bool, "hops": list}
_OPTIONAL = ("next", "lifetime", "answer", "fault")
_TIMES = {"checked_at": "checkedAt", "at": "at", "since": "since", "next_try": "nextTry", "lifetime": "lifetime"}  # in milliseconds


def _within(terms: Terms) -> Dict[str, Any]:
    return {"policy": terms.name, "redirects": terms.redirects, "body": terms.max_body, "notFound": False}


def entry_of(state: State, terms: Terms) -> bytes:
    """Returns a state in the form of stores."""

    def plain(value: Any) -> Any:
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        if isinstance(value, tuple) and hasattr(value, "_asdict"):
            fields = {name: field for name, field in value._asdict().items() if field is not None}
            return {_TIMES.get(name, name): 1000 * field if name in _TIMES else plain(field) for name, field in fields.items()}
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return _FORM + json.dumps({**plain(state), "within": _within(terms)}).encode()


def state_of(entry: bytes, terms: Terms) -> Optional[State]:
    """Reads an entry of a store; None if it is none, or was made on other terms."""
    if not isinstance(entry, bytes) or not entry.startswith(_FORM):
        return None
    row = json.loads(entry[len(_FORM) :])
    if row.pop("within") != _within(terms):
        return None

    def record(kind: Any, row: Dict[str, Any], **known: Any) -> Any:
        values = {name: row.pop(_TIMES.get(name, name), None) for name in kind._fields}
        for name, value in values.items():
            if name in _TIMES and value is not None:
                values[name] = float(value) / 1000
                if not math.isfinite(values[name]):
                    raise ValueError(name)
            elif (value is None and name not in _OPTIONAL) or (value is not None and type(value) is not _TYPES.get(name, type(value))):
                raise ValueError(name)
        if row:
            raise ValueError("another form")
        return kind(**{**values, **known})

    def hops(row: Dict[str, Any]) -> Tuple[Hop, ...]:
        return tuple(record(Hop, hop) for hop in row["hops"])

    answer, fault = row.get("answer"), row.get("fault")
    if answer is not None:
        answer = record(Found, answer, hops=hops(answer), body=base64.b64decode(answer["body"], validate=True))
        if answer.of not in terms.effects or terms.is_fault(answer.of) or len(answer.body) > terms.max_body + 1:
            return None
    if fault is not None:
        fault = record(Failing, fault, hops=hops(fault))
        if not 0 < fault.tries < 2**31:
            return None
    state: State = record(State, row, answer=answer, fault=fault)
    return state if answer or fault else None


def joined(a: State, b: State) -> State:
    """Returns the newer of two states, with the answer of the older one if only that has it."""
    newer, older = (b, a) if a.checked_at < b.checked_at else (a, b)
    if newer.fault and older.answer and not (newer.answer and newer.answer.at >= older.answer.at):
        return newer._replace(answer=older.answer)
    return newer
