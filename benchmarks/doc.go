// Package benchmarks compares this project with other parsers of robots.txt.
//
// Each experiment has a file: parse.go, match.go, growth.go, agents.go,
// worst.go, bulk.go and memory.go. An experiment is one or more contests, in
// which all entries do the same work. The same contests are run in three ways:
//
//   - as benchmarks of Go: go test -run '^$' -bench . .
//   - in pairs, round by round, by the program in report/, which writes results/
//   - as gates, by tests that hold the ratios between entries: gates_test.go
package benchmarks
