package enginetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// python returns the path of a python3 that the package supports, or skips.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: the Python package: there is no python3")
	}
	if err := exec.Command(path, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run(); err != nil {
		t.Skip("NOT CHECKED: the Python package: python3 is older than 3.9")
	}
	return path
}

// TestPython runs the tests in the folder tests, which need no network and nothing but Python. Of the questions to the
// clients it asks a part; .ci/python asks all. As there, the allocator is the usual one: the package has no C. The
// files run at once, and beside the tests of the engine, because some wait for timeouts.
func TestPython(t *testing.T) {
	program := python(t)
	files, err := filepath.Glob("../../../python/tests/test_*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: there are no tests", err)
	}
	commands, outputs := make([]*exec.Cmd, len(files)), make([]bytes.Buffer, len(files))
	for i, file := range files {
		command := exec.CommandContext(t.Context(), program, "-X", "dev", "-W", "error", "-m", "unittest", "discover", "-s", "tests",
			"-p", filepath.Base(file))
		command.Dir = "../../../python"
		command.Env = append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1", "PYTHONMALLOC=pymalloc")
		if os.Getenv("ROBOTSTXT_DROPINS") == "" {
			command.Env = append(command.Env, "ROBOTSTXT_DROPINS="+strconv.Itoa(Size(4000, 20_000)))
		}
		command.Stdout, command.Stderr = &outputs[i], &outputs[i]
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		commands[i] = command
	}
	t.Parallel()
	for i, command := range commands {
		err := command.Wait()
		if out := outputs[i].String(); err != nil || !strings.Contains(out, "\nOK") {
			t.Errorf("%s: %v\n%s", filepath.Base(files[i]), err, out)
		} else {
			t.Logf("%s: %s", filepath.Base(files[i]), out)
		}
	}
}
