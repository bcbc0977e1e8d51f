package robotshttp_test

import (
	"context"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// TestPanicEndsTurn: after a panic of Base or of a hook, which the caller recovers, the next
// request of the host is sent.
func TestPanicEndsTurn(t *testing.T) {
	for name, breaks := range map[string]func(*robotshttp.Transport, func() bool){
		"Base":                   insteadOfBase(func() (*http.Response, error) { panic("Base") }),
		"a response that is nil": insteadOfBase(func() (*http.Response, error) { return nil, nil }),
		"OnDecision": func(transport *robotshttp.Transport, now func() bool) {
			transport.OnDecision = func(*http.Request, fetch.Decision) {
				if now() {
					panic("OnDecision")
				}
			}
		},
		"Judge": func(transport *robotshttp.Transport, now func() bool) {
			transport.Judge = func(*http.Request, fetch.Decision) error {
				if now() {
					panic("Judge")
				}
				return nil
			}
		},
	} {
		// The second request waits for longer than the file is fresh, so it is judged twice.
		for at := 1; at <= 3; at++ {
			inWorld(t, siteA("Disallow: /x\n"), func(t *testing.T, w *world) {
				w.transport.MaxPerHost, w.transport.MinDelay = 1, 48*time.Hour
				calls := 0
				breaks(w.transport, func() bool { calls++; return calls == at })
				panics := 0
				for range 4 {
					ctx, cancel := context.WithTimeout(t.Context(), 1000*time.Hour)
					if recovered, err := w.recovering(ctx, a+"/1"); recovered != nil {
						panics++
					} else if err != nil {
						t.Errorf("%s, call %d: after %d panics: %v", name, at, panics, err)
					}
					cancel()
				}
				if panics != 1 {
					t.Errorf("%s, call %d: %d panics, want 1", name, at, panics)
				}
			})
		}
	}
}

// insteadOfBase calls breaks instead of the Base of a transport, when it is time.
func insteadOfBase(breaks func() (*http.Response, error)) func(*robotshttp.Transport, func() bool) {
	return func(transport *robotshttp.Transport, now func() bool) {
		base := transport.Base
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			if now() {
				return breaks()
			}
			return base.RoundTrip(r)
		})
	}
}

func (w *world) recovering(ctx context.Context, url string) (recovered any, err error) {
	defer func() { recovered = recover() }()
	response, err := w.send(ctx, url)
	if err == nil {
		err = response.Body.Close()
	}
	return nil, err
}

// TestPanicOfClock: wherever the clock panics during a request, no lock stays behind.
func TestPanicOfClock(t *testing.T) {
	for at, panics := 1, 1; panics == 1; at++ {
		inWorld(t, nil, func(t *testing.T, w *world) {
			calls := math.MinInt
			w.transport.Client = newRobots(t, fetch.Config{
				Network: fetch.Network{Transport: roundTripper(func(*http.Request) (*http.Response,
					error) {
					return answer(404, nil, ""), nil
				})},
				Freshness: fetch.Freshness{Clock: func() time.Time {
					calls++
					if calls == at {
						panic("Clock")
					}
					return time.Now()
				}},
			})
			w.transport.MaxPerHost = 1
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			panics = 0
			for i := range 3 {
				if i == 1 {
					calls = 0
				}
				if recovered, err := w.recovering(ctx, a+"/"); recovered != nil {
					panics++
				} else if err != nil {
					t.Errorf("call %d of the clock: %v", at, err)
				}
				if i == 1 {
					calls = math.MinInt
				}
			}
			if at == 1 && panics == 0 {
				t.Error("the clock is not read")
			}
		})
	}
}
