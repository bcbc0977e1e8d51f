package fleet_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// TestStoreState starts a replica while its store's server is down: it starts and is ready,
// and says in /readyz and in its metrics whether the server answers.
func TestStoreState(t *testing.T) {
	inParallel(t)
	server := valkeytest.Start(t)
	server.Kill()
	admin := fmt.Sprintf("127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
	startReplicas(t, 1, "valkey://"+server.Addr(), "--admin", admin)
	read := func(path string) string {
		t.Helper()
		response, err := http.Get("http://" + admin + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v", path, response.StatusCode, err)
		}
		return string(text)
	}
	until := func(state, metric string) {
		t.Helper()
		valkeytest.WaitUntil(t, "/readyz and /metrics say "+state, func() bool {
			return read("/readyz") == "ok\nstore: "+state+"\n" &&
				strings.Contains(read("/metrics"), "\nrobots_store_up "+metric+"\n")
		})
	}
	until("unreachable", "0")
	server.Restart()
	until("ok", "1")
	server.Kill()
	until("unreachable", "0")
}
