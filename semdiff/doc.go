// Package semdiff decides whether two robots.txt files mean the same, and shows
// by a URL where they do not.
//
// [Compare] proves for every crawler either that no URL has another verdict, or
// which ones open and which ones close, with a shortest witness for each pair of
// deciding lines. It does not try URLs: it searches all of them at once, as the
// product of the automata of all patterns. Sampling finds most changes, but not
// all.
//
// A search has a budget. If that does not suffice, the effect is [Undecided],
// which is never equality. docs/semdiff.md explains the search, its cost and its
// limits.
package semdiff
