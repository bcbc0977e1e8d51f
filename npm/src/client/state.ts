// What a client knows about an origin, and what follows from it: fetch/state.go and
// fetch/verdict.go do the same.

import { type Attempt, type FaultKind, faultOfClass, type Hop } from "./attempt.js";
import * as table from "./policies.js";
import type { Class, Effect, PolicyTable } from "./policies.js";

/** A response that was not a fault. */
export interface SiteAnswer {
  of: Exclude<Class, "redirect" | "unreachable">;
  status: number;
  url: string;
  hops: Hop[];
  next?: string;
  at: number;
  lifetime: number | undefined;
  truncated: boolean;
  body: Uint8Array;
}

/** A run of failed attempts. */
export interface Fault {
  kind: FaultKind;
  text: string;
  status: number;
  url: string;
  hops: Hop[];
  next?: string;
  since: number;
  tries: number;
  nextTry: number;
}

/** It is not changed: each attempt makes a new state. Times are in milliseconds since 1970. */
export interface State {
  readonly checkedAt: number;
  readonly answer?: SiteAnswer;
  readonly fault?: Fault;
}

/** Returns the state that follows one after an attempt. */
export function stateAfter(last: State | undefined, a: Attempt, now: number): State {
  if (a.of === "unreachable" || a.of === "redirect" || a.fault) {
    const { kind, text } = a.fault ?? { kind: "status" as const, text: `HTTP status ${a.status}` };
    const ongoing = last?.fault && now - last.checkedAt <= table.outageGap ? last.fault : undefined;
    const tries = (ongoing?.tries ?? 0) + 1;
    const fault: Fault = {
      kind, text, status: a.status, url: a.url, hops: a.hops, ...(a.next !== undefined && { next: a.next }),
      since: ongoing && ongoing.since <= now ? ongoing.since : now,
      tries,
      nextTry: now + backOff(tries, a.status, a.retryAfter),
    };
    return { checkedAt: now, fault, ...(last?.answer && { answer: last.answer }) };
  }
  const { of, status, url, hops, next, lifetime, truncated, body } = a;
  return { checkedAt: now, answer: { of, status, url, hops, ...(next !== undefined && { next }), at: now, lifetime, truncated, body } };
}

/** Returns the wait after a number of failed attempts, with a jitter of up to a fifth. */
function backOff(tries: number, status: number, retryAfter: number): number {
  const last = status === table.unavailableStatus ? table.last503 : table.lastWait;
  const wait = Math.min(table.firstWait * 2 ** Math.min(tries - 1, 20), last);
  return Math.max(wait * (0.8 + Math.random() * 0.4), Math.min(retryAfter, table.longestRetryAfter));
}

export function freshFor(answer: SiteAnswer, policy: PolicyTable): number {
  const isFile = answer.of === "file" || answer.of === "empty-file";
  const most = isFile ? policy.freshMost : Math.min(policy.freshMost, table.noFileFresh);
  const normal = isFile ? policy.fresh : Math.min(policy.fresh, table.noFileFresh);
  return answer.lifetime === undefined ? normal : Math.min(Math.max(answer.lifetime, table.minFresh), most);
}

/** Reports whether the answer is fresh. One from the future is not: one of the clocks was wrong. */
export function isFresh({ answer }: State, policy: PolicyTable, now: number): boolean {
  if (answer === undefined || faultOfClass(answer.of, answer.status, policy) !== undefined) {
    return false;
  }
  const age = now - answer.at;
  return -table.clockSkew <= age && age < freshFor(answer, policy);
}

/** Reports whether it is time for another attempt. */
export function needsTry(state: State | undefined, policy: PolicyTable, now: number): boolean {
  if (state === undefined) {
    return true;
  }
  const next = state.fault?.nextTry ?? 0;
  const isWaiting = now < next && next <= now + table.longestRetryAfter + table.clockSkew;
  return !isFresh(state, policy, now) && !isWaiting;
}

/** Returns what applies, and whether the policy alone decided. */
export function judge(state: State, policy: PolicyTable, now: number): { effect: Effect; assumed: boolean } {
  const { answer, fault } = state;
  if (answer && (!fault || isFresh(state, policy, now))) {
    return { effect: policy.effects[answer.of], assumed: false };
  }
  const unreachable = now - state.checkedAt > table.outageGap ? 0 : Math.max(now - (fault?.since ?? now), 0);
  const outage = policy.outages.find(({ over }) => unreachable > over)!;
  const hasCopy = (answer?.of === "file" || answer?.of === "empty-file") && !(policy.onEvidence && !(now - answer.at >= -table.clockSkew && now - answer.at < table.evidenceLasts));
  const effect = hasCopy ? outage.copy : outage.nocopy;
  return { effect, assumed: effect !== "copy" };
}
