// Package benchmarks compares this project with other parsers of robots.txt.
//
// Each experiment has a file: parse.go, match.go, growth.go, agents.go,
// index.go, worst.go, bulk.go and memory.go. An experiment is one or more
// contests, in which all entries do the same work. Contests run in two ways:
//
//   - round by round, by the program in report/, which writes results/
//   - as gates, by the tests in gates_test.go, which limit ratios between entries
package benchmarks
