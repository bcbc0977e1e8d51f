package deploy

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// service is a "robots serve" with the settings of a container.
type service struct{ address, admin string }

// startService starts it with variables, except those of its addresses, and stops it at the
// end of the test.
func startService(t *testing.T, program string, variables ...string) service {
	t.Helper()
	s := service{freeAddress(t), freeAddress(t)}
	process := exec.Command(program, "serve")
	process.Env = append(os.Environ(), variables...)
	process.Env = append(process.Env, "ROBOTS_SERVE_LISTEN="+s.address, "ROBOTS_SERVE_ADMIN="+s.admin)
	var output strings.Builder
	process.Stderr = &output
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM) // it may have ended
		if err := process.Wait(); err != nil || t.Failed() {
			t.Errorf("the service ended with %v\n%s", err, output.String())
		}
	})
	for until := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if response, err := http.Get("http://" + s.admin + "/healthz"); err == nil {
			response.Body.Close()
			return s
		}
		if time.Now().After(until) {
			t.Fatal("the service does not start")
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
}

// get returns the status and the body of an answer.
func get(t *testing.T, url string) (status int, text string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// post sends JSON, or lines of it, and returns the status.
func post(t *testing.T, url, kind, body string) int {
	t.Helper()
	response, err := http.Post(url, kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) == 0 {
		t.Fatal(fmt.Sprint(name, " is empty"))
	}
	return string(text)
}
