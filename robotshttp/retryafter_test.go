package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetryAfter(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		value   string
		date    string // of the response; the bubble begins on 1 January 2000
		most    time.Duration
		seconds int
	}{
		{"429", 429, "7", "", 0, 7},
		{"503", 503, " 7 ", "", 0, 7},
		{"another status", 500, "7", "", 0, 0},
		{"no header", 429, "", "", 0, 0},
		{"junk", 429, "-1", "", 0, 0},
		{"zero", 429, "0", "", 0, 0},
		{"a date", 429, "Sat, 01 Jan 2000 00:01:00 GMT", "", 0, 60},
		{"a date gone by", 429, "Fri, 31 Dec 1999 00:00:00 GMT", "", 0, 0},
		{"a date by their clock", 429, "Mon, 01 Jan 2035 00:00:20 GMT", "Mon, 01 Jan 2035 00:00:05 GMT", 0, 15},
		{"beyond the default", 429, "86400", "", 0, 600},
		{"beyond a duration", 429, "99999999999999999999999", "", 0, 600},
		{"beyond a maximum", 429, "86400", "", time.Hour, 3600},
		{"ignored", 429, "7", "", -1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.transport.MaxRetryAfter = test.most
				w.answer = func(r *http.Request) *http.Response {
					if r.URL.Path != "/busy" {
						return nil
					}
					header := http.Header{"Date": {test.date}, "Retry-After": {test.value}}
					return answer(test.status, header, "")
				}
				w.get(t, a+"/busy") // the response is returned to the caller
				w.get(t, "http://b.example/")
				w.get(t, a+"/robots.txt")
				w.get(t, a+"/")
				w.get(t, a+"/")
				next := fmt.Sprintf("%d /", test.seconds)
				w.check(t, "0 /busy", "0 b.example/", "0 /robots.txt", next, next)
			})
		})
	}
}

// TestRetryAfterInQueue checks that a Retry-After also delays requests that
// already have a reservation, and that they continue in order and with the same
// delay.
func TestRetryAfterInQueue(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		w.answer = busy
		time.AfterFunc(30*time.Second, func() {
			ctx, cancel := context.WithTimeout(t.Context(), 37*time.Second)
			defer cancel()
			if err := w.try(ctx, a+"/late"); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err) // its turn would be at 68
			}
		})
		w.queue(t, a+"/1", a+"/busy", a+"/2", a+"/3", a+"/4")
		w.check(t, "0 /1", "2 /busy", "62 /2", "64 /3", "66 /4")
	})
}

// TestTurmoil mixes callers that are cancelled, callers with deadlines and
// responses with Retry-After, and checks that no request is too early.
func TestTurmoil(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			siteRand := rand.New(rand.NewPCG(seed, 1)) // for the responses; guarded by the lock of w
			w := newWorld(t, map[string]string{"a.example": delay})
			const pause = 2 * time.Second
			var free, blocked time.Time // no request may start before these
			sent := 0
			w.answer = func(*http.Request) *http.Response {
				if now := time.Now(); now.Add(time.Microsecond).Before(free) || now.Before(blocked) {
					t.Errorf("seed %d: request %d at %v, but free at %v and blocked until %v", seed, sent, now, free, blocked)
				}
				sent++
				free = time.Now().Add(pause)
				if siteRand.IntN(5) > 0 {
					return nil
				}
				seconds := siteRand.IntN(20)
				blocked = time.Now().Add(time.Duration(seconds) * time.Second)
				return answer(429, http.Header{"Retry-After": {fmt.Sprint(seconds)}}, "")
			}
			var wg sync.WaitGroup
			for range 300 {
				time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
				patience := time.Duration(random.IntN(60000)) * time.Millisecond
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				if random.IntN(2) == 0 {
					cancel() // ends a wait without a deadline
					ctx, cancel = context.WithCancel(t.Context())
					time.AfterFunc(patience, cancel)
				}
				wg.Go(func() {
					defer cancel()
					if err := w.try(ctx, a+"/"); err != nil && !errors.Is(err, context.DeadlineExceeded) &&
						!errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if sent < 50 {
				t.Errorf("seed %d: only %d requests of 300 were sent", seed, sent)
			}
		})
	}
}
