package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// TestJavaScriptPolicies checks that the client of the npm package has the tables of this
// one. "go generate ./fetch" writes them.
func TestJavaScriptPolicies(t *testing.T) {
	golden.Check(t, *update, "../npm/src/client/policies.ts", []byte(javaScriptPolicies()), "go generate ./fetch")
}

// jsClasses and jsEffects are the names of what the JavaScript client has. None of its
// functions says whether a site answers other requests, so that none does.
var (
	jsClasses = map[class]string{
		classFile: "file", classEmpty: "empty-file", classRedirect: "redirect", classUnavailable: "unavailable", classRejected: "rejected",
		classForbidden: "forbidden", classUnreachable: "unreachable", classUndefined: "undefined",
	}
	jsEffects = [...]string{
		effectDisallowAll: "disallow-all", effectAllowAll: "allow-all", effectFile: "file", effectCopy: "copy",
		effectBySite: "disallow-all",
	}
)

const jsPolicyTypes = `// Code generated from the policies of the Go client by "go generate ./fetch"; DO NOT EDIT.

export type Class = "file" | "empty-file" | "redirect" | "unavailable" | "rejected" | "forbidden" | "undefined" | "unreachable";
export type Effect = "file" | "copy" | "allow-all" | "disallow-all";
export type Policy = %s;

export interface PolicyTable {
  /** What a class of responses means. */
  readonly effects: Readonly<Record<Exclude<Class, "redirect" | "unreachable">, Effect>>;
  /** What applies after a time in which robots.txt has been unreachable, the longest first. */
  readonly outages: readonly { readonly over: number; readonly copy: Effect; readonly nocopy: Effect }[];
  /** How long a file is fresh by default, and at most. */
  readonly fresh: number;
  readonly freshMost: number;
  /** How many redirects are followed by default. */
  readonly redirects: number;
  /** A 300 with a target is a redirect, and after too many redirects the file is unreachable. */
  readonly untilFound: boolean;
  /** Whatever is not a text file, an empty one, 404 or 410 is a fault, and a copy is of use for a day. */
  readonly onEvidence: boolean;
}

/** The classes of statuses, from a first to a last one. */
export const statuses: readonly (readonly [first: number, last: number, of: Class])[] = [
`

// javaScriptPolicies returns the source of the tables. Durations are in milliseconds.
func javaScriptPolicies() string {
	var b strings.Builder
	var names []string
	for _, p := range Policies() {
		names = append(names, fmt.Sprintf("%q", p))
	}
	fmt.Fprintf(&b, jsPolicyTypes, strings.Join(names, " | "))
	for _, r := range statuses {
		fmt.Fprintf(&b, "  [%d, %d, %q],\n", r.first, r.last, jsClasses[r.class])
	}
	b.WriteString("];\n\nexport const policies: Readonly<Record<Policy, PolicyTable>> = {\n")
	for _, p := range Policies() {
		writeJSPolicy(&b, p)
	}
	b.WriteString("};\n\n")
	writeJSConstants(&b)
	return b.String()
}

func writeJSPolicy(b *strings.Builder, p Policy) {
	fmt.Fprintf(b, "  %q: {\n    effects: {\n", p)
	for _, c := range []class{classFile, classEmpty, classUnavailable, classRejected, classForbidden, classUndefined} {
		fmt.Fprintf(b, "      %q: %q,\n", jsClasses[c], jsEffects[p.effectOf(c)])
	}
	b.WriteString("    },\n    outages: [\n")
	for _, o := range outages {
		over := o.over.Milliseconds()
		if o.over < 0 {
			over = -1
		}
		copied, none := jsEffects[o.copy[p.index()]], jsEffects[o.nocopy[p.index()]]
		fmt.Fprintf(b, "      { over: %d, copy: %q, nocopy: %q },\n", over, copied, none)
	}
	f := policies[p.index()]
	fmt.Fprintf(b, "    ],\n    fresh: %d,\n    freshMost: %d,\n    redirects: %d,\n    untilFound: %v,\n    onEvidence: %v,\n  },\n",
		f.freshness.normal.Milliseconds(), f.freshness.max.Milliseconds(), f.redirects, f.untilFound, f.onEvidence)
}

func writeJSConstants(b *strings.Builder) {
	var limits Limits
	limits.setDefaults()
	for _, c := range []struct {
		comment, name string
		value         any
	}{
		{"The least time for which an answer is fresh if headers state it.", "minFresh", minFresh},
		{"The longest time for which an answer without a file is fresh.", "noFileFresh", noFileFresh},
		{"The wait after the first fault, which doubles up to the last one.", "firstWait", firstWait},
		{"The longest wait after faults.", "lastWait", lastWait},
		{"The same after a 503.", "last503", last503},
		{"The status of a wait that ends at last503.", "unavailableStatus", http.StatusServiceUnavailable},
		{"The longest wait that Retry-After can request.", "longestRetryAfter", day},
		{"The longest time between two attempts of one outage.", "outageGap", outageGap},
		{"How long after its fetch a copy is of use to a policy onEvidence.", "evidenceLasts", time.Duration(evidenceLasts)},
		{"The tolerated difference between the clocks of machines with one store.", "clockSkew", clockSkew},
		{"How many bytes of a file are read.", "maxBody", robotstxt.DefaultBodyLimit},
		{"The longest Location that is followed, in bytes.", "maxLocation", maxLocation},
		{"How long a whole fetch may take by default.", "defaultTimeout", limits.Timeout},
		{"How long the headers of a response may take by default.", "defaultFirstByteTimeout", limits.FirstByteTimeout},
	} {
		if d, ok := c.value.(time.Duration); ok {
			c.value = d.Milliseconds()
		}
		fmt.Fprintf(b, "/** %s */\nexport const %s = %v;\n", c.comment, c.name, c.value)
	}
}
