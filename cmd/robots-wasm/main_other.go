//go:build !wasip1

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "robots-wasm is a WebAssembly module, see npm/README.md. npm/build builds it.")
	os.Exit(2)
}
