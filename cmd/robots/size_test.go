package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestSize checks that the linker drops unused methods, and bounds the size of the tool.
// One call of reflect's Method or MethodByName, as text/template makes them, keeps every
// exported method of every linked package: 14 MB. parquet-go's generic writer of tables
// takes 1.7 MB, which hundreds of lines of our own had saved; the tables of sites and of names and their counts
// take 0.4 MB. visits takes 0.5 MB, its formats of
// logs 0.2 MB and its evidence 0.1 MB, and the character sets of RSL documents (golang.org/x/net/html/charset) 0.7 MB.
// What generate shows before it writes, the definitions in reports of audits, and German plans and fixes take 0.15 MB.
func TestSize(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG: the tool is linked again")
	}
	const most = 37_750_000
	tool := filepath.Join(t.TempDir(), "robots")
	dependencies, err := exec.Command("go", "build", "-o", tool, "-ldflags=-s -w -dumpdep", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, dependencies)
	}
	if len(dependencies) < 1<<20 {
		t.Errorf("%d bytes of dependencies: the linker did not print them", len(dependencies))
	}
	// An edge to a function that calls them, which the linker found to be used.
	if edge := regexp.MustCompile(`(?m)^\S+ -> \S+ <ReflectMethod>$`).Find(dependencies); edge != nil {
		t.Errorf("methods are looked up by name: %s", edge)
	}
	info, err := os.Stat(tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > most {
		t.Errorf("the tool has %d bytes, want at most %d", info.Size(), most)
	}
}
