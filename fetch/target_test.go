package fetch

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// TestRedirectTargets checks that a file reached through redirects is not
// cached for another origin, unless it is that origin's own robots.txt.
func TestRedirectTargets(t *testing.T) {
	for location, own := range map[string]string{
		"https://bar.example/robots.txt":               "https://bar.example",
		"https://user:pw@bar.example:443/robots.txt#x": "https://bar.example",
		"http://foo.example/robots.txt":                "http://foo.example",
		"https://bar.example/foo/robots.txt":           "",
		"https://bar.example/robots.txt?x":             "",
		"https://bar.example/robots.txt?":              "",
		"https://bar.example/Robots.txt":               "",
		"https://bar.example/robots%2Etxt":             "",
		"https://bar.example/robots.txt/":              "",
		"https://foo.example/other.txt":                "",
	} {
		for _, status := range []int{200, 204, 404, 500} {
			store := newTestStore()
			client := newTestClient(t,
				Config{Store: store,
					Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						if r.URL.String() == fooKey+"/robots.txt" {
							return respond(r, 301, "", "Location", location), nil
						}
						return respond(r, status, theFile), nil
					})}})
			Expect(t, client, fooKey)
			want := []string{fooKey}
			if own != "" && status == 200 {
				want = append(want, own)
			}
			var got []string
			for key, entry := range store.entries {
				got = append(got, key)
				s, err := readRecord(entry.Data, mustOrigin(t, key), wallClock())
				if err != nil || key != fooKey && (s.lastAnswer.URL != "" || len(s.lastAnswer.Hops) != 0) {
					t.Errorf("%s, %d: %s: %+v, %v", location, status, key, s, err)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d: the store has %q, want %q", location, status, got, want)
			}
			var inMemory []string
			client.memory.All()(func(o origin.Origin, _ *state) bool {
				inMemory = append(inMemory, o.String())
				return true
			})
			slices.Sort(inMemory)
			if !slices.Equal(inMemory, want) {
				t.Errorf("%s, %d: the memory has %q, want %q", location, status, inMemory, want)
			}
			client.Close()
		}
	}
}

// TestKeepNewer checks that a file learned through a redirect does not replace
// a newer state.
func TestKeepNewer(t *testing.T) {
	now := wallClock()
	client := newTestClient(t, Config{Network: Network{Transport: answering(200, theFile)}})
	for _, test := range []struct {
		at   time.Duration
		want bool
	}{{0, true}, {-time.Second, false}, {0, false}, {time.Second, true}} {
		s := permissive(t, fooKey, now.Add(test.at))
		if _, kept := client.keepNewer(s); kept != test.want {
			t.Errorf("%v: kept %v", test.at, kept)
		}
	}
	if got := client.inMemory(mustOrigin(t, fooKey)).checkedAt; !got.Equal(now.Add(time.Second)) {
		t.Error(got)
	}
}
