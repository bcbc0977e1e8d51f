package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"golang.org/x/net/dns/dnsmessage"
)

func dialling(err syscall.Errno) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9},
		Err: os.NewSyscallError("connect", err)}
}

// TestIsLocal checks to whose account errors are booked.
func TestIsLocal(t *testing.T) {
	for _, test := range []struct {
		err   error
		local bool
	}{
		{dialling(syscall.EMFILE), true},
		{dialling(syscall.ENFILE), true},
		{dialling(syscall.ENETDOWN), true},
		{dialling(syscall.EADDRNOTAVAIL), true},
		{dialling(syscall.ENOBUFS), true},
		{dialling(syscall.ENOMEM), true},
		{dialling(syscall.EPERM), true},
		{fmt.Errorf("the whole fetch took longer (%w)", dialling(syscall.EMFILE)), true},
		{dialling(syscall.EHOSTUNREACH), false}, // there is a route to 127.0.0.1
		{dialling(syscall.ENETUNREACH), false},
		{dialling(syscall.EACCES), false},
		{&net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4bcast, Port: 9}, Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}, true},
		{fmt.Errorf("no address accepts (%w)", &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(224, 0, 0, 1), Port: 9}, Err: syscall.EHOSTUNREACH}), true},
		{dialling(syscall.ECONNREFUSED), false},
		{dialling(syscall.ECONNRESET), false},
		{dialling(syscall.ETIMEDOUT), false},
		{syscall.EHOSTUNREACH, false}, // while reading
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: dialling(syscall.ECONNREFUSED)}, true},
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}, true},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true, IsTemporary: true}, true},
		{&net.DNSError{Err: "read udp: connection refused", IsTemporary: true}, true},
		{&net.DNSError{Err: "dial udp: socket: too many open files", IsTemporary: true}, true},
		{&net.DNSError{Err: "server misbehaving", IsTemporary: true}, false},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, false},
		{&net.DNSError{Err: "cannot unmarshal DNS message"}, false},
		{x509.SystemRootsError{}, true},
		{x509.UnknownAuthorityError{}, false},
		{errDown, false},
		{context.DeadlineExceeded, false},
	} {
		if got := isLocal(test.err); got != test.local {
			t.Errorf("%v: %v, want %v", test.err, got, test.local)
		}
		if kind := faultKind(test.err); (kind == kindLocal) != test.local ||
			(kind == kindNoRoute) != (!test.local && isAnyOf(test.err, routeErrors)) {
			t.Errorf("%v is of the kind %q", test.err, kind)
		}
	}
}

// TestResolverTrouble runs resolvers that fail in several ways. Only one that does
// not answer is this machine's trouble.
func TestResolverTrouble(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, test := range []struct {
		name, address, kind string
	}{
		{"silent", silent.LocalAddr().String(), kindLocal},
		{"closed", closed.LocalAddr().String(), kindLocal},
		{"server failure", resolverThatSays(t, dnsmessage.RCodeServerFailure), kindDNS},
		{"no such name", resolverThatSays(t, dnsmessage.RCodeNameError), kindDNS},
	} {
		resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", test.address)
		}}
		transport := &http.Transport{DialContext: (&net.Dialer{Resolver: resolver}).DialContext,
			DisableKeepAlives: true}
		config := Config{Network: Network{Transport: transport}, Limits: Limits{Timeout: 10 * time.Second}}
		if test.name == "silent" {
			config.Limits.Timeout = 250 * time.Millisecond
		}
		client := newTestClient(t, config)
		outcome := map[string]string{kindLocal: "local", kindDNS: "disallow-all"}[test.kind]
		Expect(t, client, "http://robots.example./", outcome, test.kind)
	}
}

func resolverThatSays(t *testing.T, code dnsmessage.RCode) string {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil {
				continue
			}
			m.Response, m.RCode, m.Additionals = true, code, nil
			if answer, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

// TestLocalTrouble takes the network away from a client for a while. Every call
// says so, no site is blamed in the store or in memory, and the client tries again
// within seconds.
func TestLocalTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		offline := true
		site := &perOrigin{answer: func(r *http.Request) (*http.Response, error) {
			if offline {
				return nil, dialling(syscall.ENETUNREACH)
			}
			return respond(r, 200, theFile), nil
		}}
		store := new(cachetest.Memory)
		observe, count := counting()
		client := newTestClient(t, Config{Network: Network{Transport: site}, Store: store, Observe: observe})
		const url = "https://foo.example/public"
		for range 2 { // from the network, and from memory
			allowed, err := client.Allowed(t.Context(), url)
			var fault *FaultError
			if allowed || !errors.As(err, &fault) || !fault.Local() {
				t.Errorf("%v, %v", allowed, err)
			}
			d, err := client.Decide(t.Context(), url)
			if d.Allowed || d.Result.Outcome != OutcomeLocal || !errors.As(err, &fault) || !fault.Local() {
				t.Errorf("%+v, %v", d, err)
			}
			r := Expect(t, client, url, "local", "assumed")
			if !errors.As(r.Err, &fault) || !fault.Local() || !r.FailingSince.IsZero() ||
				!r.FetchedAt.Equal(time.Now()) ||
				!r.FreshUntil.IsZero() || r.Rules("FooBot").Allowed(url) {
				t.Errorf("%+v", r)
			}
		}
		if fetches, _ := site.total(); fetches != 1 || count(eventLocal) != 1 || count(eventFailed) != 0 {
			t.Errorf("%d fetches, %d events", fetches, count(eventLocal))
		}
		if _, err := store.Get(t.Context(), "https://foo.example"); !errors.Is(err, cache.ErrNotFound) {
			t.Errorf("the store contains local trouble: %v", err)
		}
		time.Sleep(40 * day)
		Expect(t, client, url, "local")
		offline = false
		time.Sleep(4 * localWait)
		ExpectAllowed(t, client, url, true)
		offline = true
		time.Sleep(23 * hour) // a refresh is due
		for range 2 {
			Expect(t, client, url, "rules", "memory")
			synctest.Wait()
		}
		if fetches, _ := site.total(); fetches != 4 {
			t.Errorf("%d fetches", fetches)
		}
		time.Sleep(2 * hour) // the copy has expired
		Expect(t, client, url, "local")
	})
}

// TestSilentTarget redirects to a host whose name servers are silent. That is a fault
// of the site, since the client would otherwise request its robots.txt every few
// seconds.
func TestSilentTarget(t *testing.T) {
	for _, silent := range []error{
		&net.DNSError{Err: "i/o timeout", IsTimeout: true, IsTemporary: true},
		nil, // the time of the fetch ends during the lookup
	} {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			client := newTestClient(t,
				Config{Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.URL.Host == "foo.example" {
						requests++
						return respond(r, 302, "", "Location", "https://silent.example/robots.txt"), nil
					}
					if silent == nil {
						httptrace.ContextClientTrace(r.Context()).DNSStart(httptrace.DNSStartInfo{})
						<-r.Context().Done()
						return nil, r.Context().Err()
					}
					return nil, silent
				})}})
			for range 2 {
				Expect(t, client, "https://foo.example/", "disallow-all", kindDNS)
				time.Sleep(2 * localWait)
			}
			if requests != 1 {
				t.Errorf("%d requests", requests)
			}
		})
	}
}

// TestLocalTroubleKeepsAnOutage checks that local trouble changes nothing about an
// outage of the site: neither its start nor its number of attempts.
func TestLocalTroubleKeepsAnOutage(t *testing.T) {
	now := wallClock()
	s := (&state{origin: mustOrigin(t, fooKey)}).after(attempt{}.fail(errDown), now)
	local := s.after(attempt{siteAnswer: siteAnswer{Class: classLocal}, err: dialling(syscall.EMFILE)}, now.Add(hour))
	if local.fault != s.fault || !local.checkedAt.Equal(now) {
		t.Errorf("%+v", local)
	}
	if verdict, _ := local.judge(GooglePolicy, now.Add(hour)); verdict != effectLocal {
		t.Errorf("%v", verdict)
	}
	if !local.backingOff(now.Add(hour)) || local.backingOff(now.Add(hour+2*localWait)) ||
		local.backingOff(now.Add(hour/2)) {
		t.Error("the wait is not short")
	}
	next := local.after(attempt{}.fail(errDown), now.Add(2*hour))
	if !next.fault.Since.Equal(now) || next.fault.Tries != 2 || next.trouble != nil {
		t.Errorf("%+v", next.fault)
	}
}

// TestRouterErrors lets a router send an error. It is the site's if another site has
// answered lately, and otherwise it may be that of this machine's network.
func TestRouterErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newTestClient(t,
			Config{Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				switch r.URL.Host {
				case "near.example":
					return respond(r, 404, ""), nil
				case "moved.example":
					return respond(r, 302, "", "Location", "https://far.example/robots.txt"), nil
				}
				return nil, dialling(syscall.EHOSTUNREACH)
			})}})
		const near, far = "https://near.example/", "https://far.example/"
		if r := Expect(t, client, far, kindLocal, "local"); !r.FailingSince.IsZero() {
			t.Errorf("%+v", r)
		}
		time.Sleep(reachedLately)
		Expect(t, client, near, "allow-all")
		time.Sleep(reachedLately)
		began := time.Now()
		if r := Expect(t, client, far, kindNoRoute, "disallow-all"); !r.FailingSince.Equal(began) {
			t.Errorf("%+v", r)
		}
		time.Sleep(hour)
		if r := Expect(t, client, far, kindLocal, "local"); !r.FailingSince.Equal(began) {
			t.Errorf("%+v", r)
		}
		Expect(t, client, "https://moved.example/", kindNoRoute) // it has answered, and chosen the target
	})
}

// TestLocalWaits checks that the waits between attempts grow while the network is
// down, and that they begin again once it was there.
func TestLocalWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var attempts []time.Time
		online := false
		client := newTestClient(t,
			Config{Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				attempts = append(attempts, time.Now())
				if online {
					return respond(r, 500, ""), nil
				}
				return nil, dialling(syscall.ENETDOWN)
			})}})
		const url = "https://foo.example/"
		call := func(seconds int) {
			for range seconds {
				_, _ = client.Robots(t.Context(), url)
				time.Sleep(time.Second)
			}
		}
		call(3600)
		for i, wait := range []time.Duration{5, 10, 20, 40, 80, 160, 300, 300, 300} {
			wait *= time.Second
			got := attempts[i+1].Sub(attempts[i])
			if got < wait*4/5 || got > wait*6/5+time.Second {
				t.Errorf("wait %d is %v, want %v", i, got, wait)
			}
		}
		if r, err := client.Robots(t.Context(), url); err != nil || !r.NextTry.Before(time.Now().Add(7*time.Minute)) {
			t.Errorf("%+v, %v", r, err)
		}
		online = true
		call(600)
		online, attempts = false, nil
		call(7200)
		if wait := attempts[1].Sub(attempts[0]); wait > 8*time.Second {
			t.Errorf("the first wait after an answer is %v", wait)
		}
	})
}

// TestLocalRetriesLeaveSlots lets the name servers of many sites be silent, so that each
// attempt takes all of Limits.Timeout and is local trouble. The fetches of other sites
// must not wait for repeated attempts.
func TestLocalRetriesLeaveSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sites, slots = 200, 8
		var now, most atomic.Int64
		var seen sync.Map
		client := newTestClient(t,
			Config{Limits: Limits{MaxFetches: slots},
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if strings.HasPrefix(r.URL.Host, "new") {
						return respond(r, 200, theFile), nil
					}
					if _, again := seen.LoadOrStore(r.URL.Host, true); again {
						most.Store(max(most.Load(), now.Add(1)))
						defer now.Add(-1)
					}
					httptrace.ContextClientTrace(r.Context()).DNSStart(httptrace.DNSStartInfo{})
					<-r.Context().Done()
					return nil, r.Context().Err()
				})}})
		ctx, cancel := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		for i := range sites {
			callers.Go(func() {
				for ctx.Err() == nil {
					r, err := client.Robots(ctx, fmt.Sprintf("https://silent%d.example/", i))
					if err == nil && r.Outcome != OutcomeLocal {
						t.Errorf("%+v", r)
					}
					time.Sleep(time.Second)
				}
			})
		}
		time.Sleep(sites/slots*30*time.Second + time.Minute) // all first attempts have ended
		for i := range 100 {
			began := time.Now()
			if Expect(t, client, fmt.Sprintf("https://new%d.example/", i), "rules"); time.Since(began) > 0 {
				t.Errorf("it waited %v", time.Since(began))
			}
			time.Sleep(10 * time.Second)
		}
		if most.Load() != slots/retryShare {
			t.Errorf("%d repeated attempts at once", most.Load())
		}
		cancel()
		callers.Wait()
		time.Sleep(time.Minute) // the fetches end
		if !client.limits.slots.TryAcquire(slots) || !client.limits.retries.TryAcquire(slots/retryShare) {
			t.Error("a slot is lost")
		}
	})
}
