package driver

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

//go:embed google/build google/driver.cc fast/build fast/main.rs
var sources embed.FS

// Environment variables with the paths of checkouts of other parsers.
const (
	GoogleVariable = "ROBOTSTXT_GOOGLE" // github.com/google/robotstxt
	FastVariable   = "ROBOTSTXT_FAST"   // github.com/zeon256/fast-robots
)

// The names of the timed programs.
const (
	GoogleName = "google"
	FastName   = "fast-robots"
)

// Google returns the driver of Google's own parser, in C++.
func Google() Program { return compiled(GoogleName, "google") }

// Fast returns the driver of fast-robots, in Rust.
func Fast() Program {
	p := compiled(FastName, "fast")
	p.Keeps, p.Text = true, true
	return p
}

func compiled(name, folder string) Program {
	files, err := fs.Sub(sources, folder)
	if err != nil {
		panic(fmt.Sprintf("driver: %v", err)) // the folder is embedded above
	}
	return Program{
		Name: name, Timed: true, Files: files,
		Prepare: []string{"bash", "build"}, Command: []string{"./driver"},
	}
}

// Named returns the timed programs whose checkouts are named by environment
// variables.
func Named() (programs []Program) {
	if os.Getenv(GoogleVariable) != "" {
		programs = append(programs, Google())
	}
	if os.Getenv(FastVariable) != "" {
		programs = append(programs, Fast())
	}
	return programs
}
