package enginetest

import (
	"os"
	"os/exec"
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

// TestPython runs the tests in the folder tests, which need no network and nothing but Python.
func TestPython(t *testing.T) {
	command := exec.Command(python(t), "-X", "dev", "-W", "error", "-m", "unittest", "discover", "-s", "tests")
	command.Dir = "../../../python"
	command.Env = append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1")
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nOK") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
