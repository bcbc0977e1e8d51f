package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/surfaces"
)

// TestPython puts the questions to the Python package, where there is a Python.
func TestPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: the Python package: there is no python3")
	}
	asks := &verify{t: t, name: "Python"}
	script := exec.Command(python, "tests/surfaces.py")
	script.Dir, script.Env = "../../python", append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1")
	for q, line := range asks.askScript(script) {
		asks.is(q, decode[surfaces.Answer](t, line), q.Text())
	}
	asks.log()
	if asks.n < atLeast {
		t.Error("too few questions")
	}
}
