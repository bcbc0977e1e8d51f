// Command validate compares JSON values, each in a line of its standard input, with the JSON Schema
// in a file. It prints the index of each invalid value, a tab, and what is wrong.
//
// Tests of the tool start it. If they imported the package for schemas, each of the thousand
// processes of the scripts, which are the test binary, would take almost twice as long.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	values, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	index := 0
	for line := range bytes.Lines(values) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			fmt.Printf("%d\t%q\n", index, err.Error())
		}
		index++
	}
}
