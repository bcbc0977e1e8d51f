// Package wasm implements the WebAssembly module, except its exports: a caller writes a
// request into an input buffer, calls a function, and reads the result from an output
// buffer. Integers are of 32 bits, texts UTF-8.
//
// There are two ways to use it. [Module.Call] answers any call of the API in JSON. The
// fast path has handles: [Module.Parse] reads a robots.txt once, [Module.Rules] selects a
// crawler, and [Module.Verdict] and [Module.Verdicts] decide about URLs, without JSON and
// without an allocation for each URL.
//
// A function that fails returns a negative number, -n, and the output is an error in JSON
// of n bytes, see calls.Error. A panic becomes such an error too. A Module is not safe for
// concurrent use.
package wasm
