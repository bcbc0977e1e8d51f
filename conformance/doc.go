// Package conformance contains test vectors for robots.txt parsers, and runs them
// against any parser that a Go function can call.
//
//	vectors, err := conformance.Vectors()
//	// …
//	for _, failure := range conformance.Run(implementation, vectors) {
//		t.Error(failure)
//	}
//
// A vector is a robots.txt body and a list of checks. A check is a query, which is a
// dialect, an ordered list of product tokens and a URL, and the expected answer: the
// verdict and the number of the deciding line. Each vector cites the clauses that it
// tests, so that a failure names the sentence that the parser misread.
//
// The vectors are plain text files under vectors/. README.md in this folder defines
// their grammar and explains how to write a runner in another language. The package
// does not depend on an implementation, so authors of other parsers can use it.
//
// # Agents
//
// A line of agents lists one or more crawlers, separated by commas. Each check
// applies to every crawler of the list. Tokens separated by colons belong to one
// crawler, which falls back from each to the next: "Googlebot-News:Googlebot, GPTBot"
// is two crawlers.
//
// # Expectations
//
// Site owners can write checks of their own robots.txt in the same format.
// [ParseExpectations] reads them. The robots.txt is then a separate file or a URL,
// which the caller reads.
//
// # Dialects
//
// The vectors cover three dialects. [Google] is the behaviour of Google's public
// parser, byte for byte; [RFC9309] follows the 2022 standard; [Koster1996] follows
// the first version of the November 1996 draft. A vector can contain the same query
// in several dialects, with an answer for each. [Only] selects the checks of the
// dialects that an implementation supports.
//
// # Patterns
//
// A check can be about every path that a path pattern matches: "deny-all:
// /private/". Only a program that reasons about rules can prove such a check. A
// runner can skip these checks, or test the URLs of [Check.Samples], as [Run] does.
// Every vector also has checks of URLs.
//
// # Permission
//
// [PermissionCases] are a different kind: they state what may be done with a URL for each
// purpose, according to all signals of a site. [RunPermission] runs them.
//
// # Lines
//
// Lines count from 1. The deciding line is the line of the rule that decides, or 0
// if no rule does. A check without a line has [AnyLine] in its place. An
// implementation that does not know the deciding line returns [AnyLine].
package conformance
