// Package conformance holds test vectors for readers of robots.txt and a small
// runner that puts them to any implementation, in Go or behind a pipe.
//
// A vector is one robots.txt body with questions about it: a dialect, an
// ordered list of product tokens and a URL, and the expected answer: allowed or
// not, and the number of the line that decides. Each vector cites the clauses it
// shows, so a failure says which sentence of which text was misread.
//
// The vectors are plain files under vectors/, one scenario each. README.md next
// to this file gives their grammar and says how to write a runner in another
// language. The package knows no implementation: an author of another parser may
// use it as it is.
//
// # Agents
//
// One line of agents states one or more crawlers, separated by commas; each check
// is one question for each of them. Tokens separated by colons are one crawler,
// which falls back from each to the next. "Googlebot-News:Googlebot, GPTBot" are
// two crawlers.
//
// # Expectations
//
// The owner of a site may state in the same form what its own robots.txt shall
// say: [ParseExpectations] reads checks about a robots.txt that is a file of its
// own, or stands on a server. Whoever puts them to it reads that file first.
//
// # Dialects
//
// Three readings of the protocol are covered. [Google] is what Google's public
// parser does, to the byte; [RFC9309] follows the standard of 2022;
// [Koster1996] follows the first version of the draft of November 1996. A
// vector may ask the same question in several dialects, and states the answer
// of each. An implementation that offers one dialect skips the others with
// [Only].
//
// # Patterns
//
// A check may be about every path that a path pattern matches: "deny-all:
// /private/". Only a program that reasons about rules can prove that. Others skip
// such checks, or ask about [Check.Samples], as [Run] does; a vector always has
// checks of URLs too.
//
// # Lines
//
// Lines count from 1. The deciding line is the line of the rule that won; it is
// 0 where no rule decides. Checks that do not state a line hold [AnyLine], and
// an implementation that cannot name lines returns [AnyLine] itself.
package conformance
