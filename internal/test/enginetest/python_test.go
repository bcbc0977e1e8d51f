package enginetest

import (
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
// files run at once, because some wait for timeouts.
func TestPython(t *testing.T) {
	t.Parallel()
	program := python(t)
	files, err := filepath.Glob("../../../python/tests/test_*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: there are no tests", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := exec.Command(program, "-X", "dev", "-W", "error", "-m", "unittest", "discover", "-s", "tests",
				"-p", name)
			command.Dir = "../../../python"
			command.Env = append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1", "PYTHONMALLOC=pymalloc")
			if os.Getenv("ROBOTSTXT_DROPINS") == "" {
				command.Env = append(command.Env, "ROBOTSTXT_DROPINS="+strconv.Itoa(Size(4000, 20_000)))
			}
			out, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "\nOK") {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}
