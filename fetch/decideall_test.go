package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// TestDecideAll compares the decisions with those of Decide, and checks the order
// within an origin, the number of fetches and the time: sites are looked up
// together, and a slow one delays only itself.
func TestDecideAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &perOrigin{answer: func(r *http.Request) (*http.Response, error) {
			switch host := r.URL.Host; {
			case host == "slow.example":
				time.Sleep(20 * time.Second)
			case host == "local.example":
				return nil, dialling(syscall.EMFILE)
			case strings.HasPrefix(host, "gone"):
				return respond(r, 404, ""), nil
			}
			time.Sleep(time.Second)
			return respond(r, 200, theFile), nil
		}}
		client := newTestClient(t, Config{Transport: site, MaxFetches: 10})
		defer client.Close()
		hosts := []string{"slow", "local"}
		for i := range 20 {
			hosts = append(hosts, fmt.Sprintf("host%d", i), fmt.Sprintf("gone%d", i))
		}
		var urls []string
		for i := range 1000 {
			urls = append(urls, fmt.Sprintf("https://%s.example/%s/%04d", hosts[i%len(hosts)], []string{"private", "public"}[i/100%2], i))
		}
		urls = append(urls, "no url")
		began := time.Now()
		got := map[string]Decision{}
		last := map[string]string{}
		wrong := 0
		for d, err := range client.DecideAll(t.Context(), slices.Values(urls), "FooBot") {
			var invalid *origin.Error
			var fault *FaultError
			switch {
			case errors.As(err, &invalid) && d.URL == "no url":
				wrong++
				continue
			case errors.As(err, &fault) && fault.Local() && strings.Contains(d.URL, "local.example"):
			case err != nil:
				t.Fatalf("%s: %v", d.URL, err)
			}
			o := d.Result.Origin.String()
			if path := d.URL[len(d.URL)-4:]; path <= last[o] {
				t.Errorf("%s after %s", d.URL, last[o])
			} else {
				last[o] = path
			}
			got[d.URL] = d
			if o != "https://slow.example" && time.Since(began) > 10*time.Second {
				t.Errorf("%s is decided after %v", d.URL, time.Since(began))
			}
		}
		if len(got) != 1000 || wrong != 1 {
			t.Errorf("%d decisions, %d wrong URLs", len(got), wrong)
		}
		if fetches, origins := site.total(); fetches != int64(len(hosts)) || origins != len(hosts) {
			t.Errorf("%d fetches of %d origins", fetches, origins)
		}
		for _, url := range urls[:1000] {
			if strings.Contains(url, "local.example") {
				continue
			}
			want, err := client.Decide(t.Context(), url, "FooBot")
			if d := got[url]; err != nil || d.Allowed != want.Allowed || d.Line != want.Line {
				t.Errorf("%s: %v, want %v, %v", url, d, want, err)
			}
		}
	})
}

// TestDecideAllEnds checks what ends the sequence: the caller, the context, Close.
func TestDecideAllEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := func(yield func(string) bool) {
			for i := 0; yield(fmt.Sprintf("https://host%d.example/", i)); i++ {
			}
		}
		client := newTestClient(t, Config{Transport: &busySite{}})
		defer client.Close()
		n := 0
		for _, err := range client.DecideAll(t.Context(), endless) {
			if n++; err != nil || n == 1000 {
				break
			}
		}
		if n != 1000 {
			t.Errorf("%d decisions", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer cancel()
		var last error
		for _, err := range client.DecideAll(ctx, endless) {
			if last != nil {
				t.Error("the sequence goes on after the end of the context")
			}
			last = err
		}
		if !errors.Is(last, context.DeadlineExceeded) {
			t.Error(last)
		}
		client.Close()
		for _, last = range client.DecideAll(t.Context(), func(yield func(string) bool) { yield("https://new.example/") }) {
		}
		if !errors.Is(last, ErrClosed) {
			t.Error(last)
		}
		time.Sleep(time.Minute) // the fetches end
	})
}

// TestDecideAllReadsAhead checks that it does not read endlessly ahead of a site
// that does not answer.
func TestDecideAllReadsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newTestClient(t, Config{Transport: &busySite{}})
		defer client.Close()
		began := time.Now()
		read := 0
		urls := func(yield func(string) bool) {
			for range 2 * urlsAhead {
				if time.Since(began) == 0 {
					read++
				}
				if !yield("https://foo.example/") {
					return
				}
			}
		}
		decided := 0
		for range client.DecideAll(t.Context(), urls) {
			decided++
		}
		if read != urlsAhead || decided != 2*urlsAhead {
			t.Errorf("%d read, %d decided", read, decided)
		}
	})
}
