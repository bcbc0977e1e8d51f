package watch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

const stormSites = 40

// TestMain runs single passes over the sites of a storm until it is killed, or an upgrade, or a pass of
// TestBehaviours, if the environment names its folder; otherwise the tests.
func TestMain(m *testing.M) {
	if folder := os.Getenv("WATCH_UPGRADE"); folder != "" {
		fmt.Fprintln(os.Stderr, stuckUpgrade(folder))
		os.Exit(1)
	}
	if folder := os.Getenv("WATCH_SIM"); folder != "" {
		if err := simChild(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	folder := os.Getenv("WATCH_STORM")
	if folder == "" {
		os.Exit(m.Run())
	}
	at, _ := url.Parse(os.Getenv("WATCH_PROXY"))
	client, err := newClient(fetch.Network{Proxy: http.ProxyURL(at)})
	if err == nil {
		err = storm(folder, client)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// storm runs passes that append their messages to a file.
func storm(folder string, client *fetch.Client) error {
	out, err := os.OpenFile(filepath.Join(folder, "out.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for {
		if err := stormPass(folder, client, &watch.Lines{Out: out, JSON: true}); err != nil || os.Getenv("WATCH_STORM") == "" {
			return err
		}
	}
}

func stormPass(folder string, client *fetch.Client, outputs ...watch.Output) error {
	store, err := watch.OpenStore(context.Background(), folder, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = watch.Run(context.Background(), watch.Config{
		Store: store, Reader: &watch.Reader{}, Online: &watch.Online{}, Concurrency: 8, Outputs: outputs,
		Fetch: func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) },
		Sites: sitesOf(numbered(stormSites)...),
	})
	return err
}

// TestStorm kills runs at any time, while sites change. Every message that was stored
// is delivered at least once, always with the same content, and every change of a site is
// in a message.
func TestStorm(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	t.Parallel() // it waits for the disk, as TestClockSteps does
	rounds := 10
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		rounds = 200
	}
	w, folder := newWorld(t), t.TempDir()
	w.setAll(stormSites, shop)
	client := w.client(t)
	if err := stormPass(folder, client); err != nil { // first seen
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range rounds {
		children := make([]*exec.Cmd, 1+rand.IntN(2))
		for i := range children {
			children[i] = exec.Command(self)
			children[i].Env = append(os.Environ(), "WATCH_STORM="+folder, "WATCH_PROXY="+w.proxy.URL)
			if err := children[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			w.set(fmt.Sprintf("s%d.example", rand.IntN(stormSites)), []string{shop, closed}[rand.IntN(2)])
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		}
		for _, child := range children {
			_ = child.Process.Kill()
			_ = child.Wait()
		}
	}
	// as at first, so that each site has been reported an even number of times
	w.setAll(stormSites, shop)
	if err := storm(folder, client); err != nil { // one pass, because the environment names no folder
		t.Fatal(err)
	}
	store := openStore(t, folder)
	stored, err := store.Latest(t.Context(), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	delivered := deliveredIn(t, filepath.Join(folder, "out.jsonl"))
	state := make(map[string]wire.WatchKind)
	for i := len(stored) - 1; i >= 0; i-- { // the oldest first
		m := stored[i]
		if delivered[m.ID] == "" {
			t.Errorf("message %s was not delivered", m.ID)
		}
		for _, e := range m.Events {
			kind := e.Changes[0].Kind
			if kind == state[e.Site] {
				t.Errorf("%s: %s twice", e.Site, kind)
			}
			state[e.Site] = kind
		}
	}
	for site, kind := range state {
		if kind != wire.WatchOpens {
			t.Errorf("%s: the last event is %s", site, kind)
		}
	}
	t.Logf("%d messages of %d delivered", len(delivered), len(stored))
}

// deliveredIn returns the messages in a file, whose last line may be cut off at each kill.
func deliveredIn(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for line := range bytes.Lines(text) {
		var m wire.WatchMessage
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		if before := found[m.ID]; before != "" && before != string(line) {
			t.Errorf("message %s has two contents", m.ID)
		}
		found[m.ID] = string(line)
	}
	return found
}
