// What the state in a store means to this client. Clients on other terms (a policy, limits) may
// have fetched it, so it says what happened: fetch/terms.go does the same.

import { classOf, faultOfClass, follows, type Hop, loses, type Requests, wholeLines } from "./attempt.js";
import type { Policy } from "./policies.js";
import type { Fault, SiteAnswer, State } from "./state.js";

/** The terms of the client that made the last fetch. */
export interface Within {
  readonly policy: Policy;
  readonly redirects: number;
  readonly body: number;
  readonly notFound: boolean; // it looks for the page of a 404 with another status
}

export function within({ policyName, policy, redirects, maxBody, notFoundPage }: Requests): Within {
  return { policy: policyName, redirects, body: maxBody, notFound: notFoundPage !== undefined && !policy.onEvidence };
}

/** Returns what a stored state means, undefined if a fetch would have gone further or would have ended differently. */
export function onTerms(state: State, by: Within, requests: Requests): State | undefined {
  const answer = state.answer && readAnswer(state.answer, by, requests);
  let fault = state.fault && sharesFault(state.fault, by, requests) ? state.fault : undefined;
  const own = within(requests);
  if (fault && (Object.keys(own) as (keyof Within)[]).some((name) => own[name] !== by[name])) {
    // Earlier attempts of the run may be no faults on these terms.
    fault = { ...fault, since: state.checkedAt, tries: 1 };
  }
  if (fault) {
    return { checkedAt: state.checkedAt, fault, ...(answer && { answer }) };
  }
  return answer && { checkedAt: answer.at, answer };
}

function readAnswer(stored: SiteAnswer, by: Within, requests: Requests): SiteAnswer | undefined {
  let answer = { ...stored };
  const { policy } = requests;
  const end = endOf(stored.hops, requests);
  const last = stored.hops[end];
  if (last !== undefined) {
    const next = stored.hops[end + 1]?.url ?? stored.url;
    answer = { of: "unavailable", ...last, hops: stored.hops.slice(0, end), next, at: stored.at, lifetime: undefined, truncated: false, body: new Uint8Array() };
  } else if (stored.next !== undefined && follows(stored.status, stored.hops.length, requests)) {
    return undefined;
  }
  let of = classOf(answer.status);
  if (of === "redirect" || (answer.status === 300 && policy.untilFound)) {
    if (loses(policy, answer.next !== undefined)) return undefined;
    if (of === "redirect") of = "unavailable";
  } else if (of === "unreachable" && stored.of === "unavailable" && requests.notFoundPage && !policy.onEvidence) {
    of = "unavailable"; // the page of a 404 with another status, which this client recognises too
  } else if (stored.of === "file" && answer.status === 206) {
    of = "file"; // all of it
  }
  if (of === "unreachable" || (answer.truncated && by.body < requests.maxBody)) {
    return undefined;
  }
  const read = cut({ ...answer, of }, requests.maxBody);
  return faultOfClass(of, read.status, policy, read.body, read.truncated) === undefined ? read : undefined;
}

/** Returns an answer with a body within a limit: a line that the limit cuts is dropped. */
function cut(answer: SiteAnswer, limit: number): SiteAnswer {
  const { body } = answer;
  return body.length > limit ? { ...answer, body: wholeLines(body, limit), truncated: true } : answer;
}

/** Returns how many of a fetch's redirects are followed. */
function endOf(hops: readonly Hop[], requests: Requests): number {
  const end = hops.findIndex(({ status }, i) => !follows(status, i, requests));
  return end < 0 ? hops.length : end;
}

/** Reports whether a fetch of this client would have had the same fault. */
function sharesFault(fault: Fault, by: Within, requests: Requests): boolean {
  const { policy } = requests;
  if (endOf(fault.hops, requests) < fault.hops.length || (fault.next !== undefined && follows(fault.status, fault.hops.length, requests))) {
    return false;
  }
  if (fault.kind !== "status") {
    return true;
  }
  if (fault.status >= 500 && fault.status !== 503 && within(requests).notFound && !by.notFound) {
    return false; // it may be the page of a 404
  }
  const of = classOf(fault.status);
  if (of === "redirect" || (fault.status === 300 && policy.untilFound)) {
    return loses(policy, fault.next !== undefined);
  }
  return faultOfClass(of, fault.status, policy) !== undefined || (of === "file" && policy.onEvidence && by.body >= requests.maxBody);
}
