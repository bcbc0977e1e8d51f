//go:build wasip1

// Command robots-wasm is the engine for JavaScript and for other hosts of WebAssembly: a
// reactor of WASI preview 1. The tag full adds the linter and the data of crawlers:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared [-tags full] -trimpath \
//		-ldflags=-s -o robots.wasm ./robots-wasm
//
// A host calls _initialize once. Then it writes into the memory at input(size), calls a
// function, and reads the result at output(). Package wasm describes the functions; a
// negative result -n means that the output is an error of n bytes in JSON. npm/src is
// such a host.
package main

import (
	"unsafe"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/wasm"
)

func main() {} // a reactor does not run it

// module is the state of the instance, which has no other place: the host calls functions.
var module = wasm.New(moduleCalls())

//go:wasmexport input
func input(size int32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(module.Input(size))) }

//go:wasmexport output
func output() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(module.Output())) }

//go:wasmexport call
func call(nameSize, requestSize int32) int32 { return module.Call(nameSize, requestSize) }

//go:wasmexport parse
func parse(size, dialect, limit int32) int32 { return module.Parse(size, dialect, limit) }

//go:wasmexport rules
func rules(file, size, flags int32) int32 { return module.Rules(file, size, flags) }

//go:wasmexport verdict
func verdict(rules, size int32) int32 { return module.Verdict(rules, size) }

//go:wasmexport verdicts
func verdicts(rules, size int32) int32 { return module.Verdicts(rules, size) }

//go:wasmexport explain
func explain(rules, size int32) int32 { return module.Explain(rules, size) }

//go:wasmexport crawl_delay
func crawlDelay(rules int32) float64 { return module.CrawlDelay(rules) }

//go:wasmexport matched_by
func matchedBy(rules int32) int32 { return module.MatchedBy(rules) }

//go:wasmexport summarize
func summarize(file int32) int32 { return module.Summarize(file) }

//go:wasmexport release_file
func releaseFile(file int32) { module.ReleaseFile(file) }

//go:wasmexport release_rules
func releaseRules(rules int32) { module.ReleaseRules(rules) }
