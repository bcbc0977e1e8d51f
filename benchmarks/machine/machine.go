// Package machine describes what figures depend on: the machine and the commit.
package machine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Name returns the processor, the number of cores and the system. The processor is known
// on Linux only.
func Name() string {
	model := "unknown processor"
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// Commit returns the commit of the checkout in words.
func Commit() string {
	id, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	if err != nil {
		return "of unknown commit"
	}
	text := strings.TrimSpace(string(id))
	if clean, dirty := strings.CutSuffix(text, "-dirty"); dirty {
		return "commit " + clean + " with changes"
	}
	return "commit " + text
}
