package serve

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener of connections in memory.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// inMemory runs a test with a server whose connections are in memory, in a time that is not real.
func inMemory(t *testing.T, c Config, test func(t *testing.T, s *Server, dial func() net.Conn)) {
	t.Helper()
	c.UserAgent = "TestBot (+https://shop.example)"
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.fetcher.Close()
	synctest.Test(t, func(t *testing.T) {
		service := s.server(s)
		service.WriteTimeout = time.Minute
		l := make(pipes)
		ended := make(chan error)
		go func() { ended <- service.Serve(l) }()
		test(t, s, func() net.Conn {
			client, server := net.Pipe()
			l <- server
			return client
		})
		close(l)
		<-ended
		service.Close()
	})
}

// TestSlowTransfers: a client that sends or reads at less than the least rate is cut off,
// although it never waits for long.
func TestSlowTransfers(t *testing.T) {
	config := Config{Bounds: Bounds{MinRate: 1000, BodyTimeout: time.Hour, WriteTimeout: 30 * time.Second}}
	inMemory(t, config, func(t *testing.T, _ *Server, dial func() net.Conn) {
		head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
		for _, rate := range []int{100, 2000} { // bytes a second
			client := dial()
			began := time.Now()
			text := `{"body":"` + strings.Repeat("#", 50_000) + `","urls":["/cart"]}`
			go func() {
				fmt.Fprintf(client, head, len(text), "")
				for rest := text; len(rest) > 0; {
					n := min(rate, len(rest))
					if _, err := io.WriteString(client, rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
					time.Sleep(time.Second)
				}
			}()
			status := make([]byte, 12)
			_, _ = io.ReadFull(client, status)
			took := time.Since(began)
			client.Close()
			if isSlow := rate < 1000; isSlow != (string(status) == "HTTP/1.1 408") || isSlow && took > 10*time.Second {
				t.Errorf("a body at %d bytes a second: %s after %v", rate, status, took)
			}
		}
		request := Amplifying(t, 1, 1000)
		for _, rate := range []int{100, 20_000} {
			client := dial()
			began := time.Now()
			go fmt.Fprintf(client, head, len(request), request)
			read := 0
			for {
				n, err := client.Read(make([]byte, rate))
				read += n
				if err != nil {
					break
				}
				if n < rate && read > 600_000 {
					break
				}
				time.Sleep(time.Second)
			}
			client.Close()
			if isSlow := rate < 1000; isSlow != (read < 600_000) || isSlow && time.Since(began) > 2*time.Minute {
				t.Errorf("an answer at %d bytes a second: %d bytes after %v", rate, read, time.Since(began))
			}
		}
	})
}

// TestSlowFiles: a file of the page is an answer like others. A client that reads it slower than
// the least rate is cut off, any other one gets the whole file, however long that takes, and its
// memory counts for the client.
func TestSlowFiles(t *testing.T) {
	inMemory(t, Config{Bounds: Bounds{MinRate: 1000}}, func(t *testing.T, s *Server, dial func() net.Conn) {
		for _, rate := range []int{100, 2000} { // bytes a second
			client := dial()
			began := time.Now()
			go io.WriteString(client, "GET /robots.wasm HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n")
			read, piece := 0, make([]byte, 10*rate)
			for err := error(nil); err == nil; {
				var n int
				n, err = io.ReadFull(client, piece)
				// The last bytes are sent after the handler has returned its memory.
				read += n
				if err == nil && read <= 1<<20 && s.Used().Memory != fileBytes {
					t.Fatalf("a file that is not read uses %d bytes", s.Used().Memory)
				}
				// Not when the server's deadline is: it could cut the client off right after a read.
				time.Sleep(10*time.Second + time.Millisecond)
			}
			client.Close()
			synctest.Wait()
			if isSlow := rate < 1000; isSlow == (read > 1<<20) || isSlow && time.Since(began) > 4*time.Minute ||
				s.Used() != (Shares{}) {
				t.Errorf("a file at %d bytes a second: %d bytes after %v; %+v is used", rate, read, time.Since(began), s.Used())
			}
		}
	})
}

// TestSlowQuestions: a stream of a public service that asks now and then ends, although each line
// arrives in its time, and even if it began with many questions; one that asks at the least rate
// goes on.
func TestSlowQuestions(t *testing.T) {
	inMemory(t, Config{Hosts: []string{"robots.example"}}, func(t *testing.T, _ *Server, dial func() net.Conn) {
		for _, test := range []struct {
			every time.Duration
			burst int
		}{{8 * time.Second, 1}, {8 * time.Second, 1000}, {4 * time.Second, 1}} {
			every := test.every
			client := dial()
			began := time.Now()
			go func() {
				line := "d\r\n{\"body\":\"\"}\r\n\r\n" + strings.Repeat("4\r\n\"/\"\n\r\n", test.burst-1)
				_, err := io.WriteString(client, "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"+line)
				for err == nil && time.Since(began) < 10*time.Minute {
					_, err = io.WriteString(client, "4\r\n\"/\"\n\r\n")
					time.Sleep(every)
				}
				_, _ = io.WriteString(client, "0\r\n\r\n")
			}()
			text, _ := io.ReadAll(client)
			took, answers := time.Since(began), strings.Count(string(text), `"url":"/"`)
			client.Close()
			isSlow := every > questionTime
			if isSlow != (took < 2*time.Minute) || isSlow != strings.Contains(string(text), `"code":"timeout"`) ||
				!isSlow && answers < 140 {
				t.Errorf("%d questions, and one every %v: %d answers after %v: %.300s", test.burst, every, answers, took, text)
			}
		}
	})
}

// TestEarlyQuestions: questions at the beginning of a stream buy no more than maxCredit of silence,
// and do not keep it from giving way later.
func TestEarlyQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := func(client int) *lineReader {
			gone := &lineReader{ended: make(chan struct{}), c: &call{client: ClientN(client)},
				timeout: 15 * time.Second, began: time.Now(), credit: 15 * time.Second}
			gone.before.at, gone.mark.at = gone.began, gone.began
			return gone
		}
		early, steady := reader(1), reader(2)
		for range 10_000 {
			early.earn()
		}
		if early.credit != maxCredit {
			t.Errorf("10,000 questions buy %v", early.credit)
		}
		s := newStreams(&Config{Bounds: Bounds{MaxStreams: 2}, Hosts: []string{"robots.example"}})
		var gave []string
		early.cancel, steady.cancel = func(error) { gave = append(gave, "early") }, func(error) { gave = append(gave, "steady") }
		for _, in := range []*lineReader{early, steady} {
			place := &loan{of: s.budget, client: in.c.client}
			if err := place.await(t.Context(), 1, true, turnWait); err != nil {
				t.Fatal(err)
			}
			s.begin(in, place)
		}
		for i := range 30 {
			steady.earn()
			if i%8 == 0 { // less often than steady, and often enough for its credit
				early.earn()
			}
			early.rate(time.Now())
			steady.rate(time.Now())
			time.Sleep(time.Second)
		}
		if err := s.enter(t.Context(), ClientN(3), true, turnWait); err != nil || fmt.Sprint(gave) != "[early]" {
			t.Errorf("%v; %v gave way", err, gave)
		}
	})
}

// TestVictims: which connection is closed if there are too many.
func TestVictims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proxy := netip.MustParseAddr("10.0.0.1")
		l := newConns(nil, &Config{MaxConns: 12, Bounds: Bounds{HeaderTimeout: 5 * time.Second}},
			func(ip netip.Addr) bool { return ip == proxy }, func() {})
		names := make(map[*conn]string)
		open := func(name string, home netip.Addr, client int, to state) (victim string) {
			a, b := net.Pipe()
			t.Cleanup(func() { a.Close(); b.Close() })
			c := &conn{Conn: a, of: l, held: l.homes.lend(home)}
			names[c] = name
			found := l.admit(c)
			if client > 0 {
				c.move(ClientN(client), to)
			}
			return names[found]
		}
		fill := func(count int, name string, home netip.Addr, client int, to state) {
			for i := range count {
				if victim := open(fmt.Sprint(name, i), home, client, to); victim != "" {
					t.Fatalf("%s%d: %s was closed", name, i, victim)
				}
			}
		}
		none := netip.Addr{}
		fill(2, "idle of 1/", ClientN(1), 1, idle)
		fill(1, "idle of the proxy/", none, 0, idle)
		fill(7, "slow of 3/", none, 3, answering) // through the proxy
		fill(2, "busy of 2/", ClientN(2), 2, answering)
		time.Sleep(10 * time.Second)
		for i, want := range []string{
			"idle of 1/0", "idle of 1/1", "slow of 3/0", "slow of 3/1", "slow of 3/2", "idle of the proxy/0", "new6",
		} {
			// Each new connection is that of another client, and is being answered at once.
			if victim := open(fmt.Sprint("new", i), ClientN(10+i), 10+i, answering); victim != want {
				t.Errorf("connection %d: %q was closed, want %q", i, victim, want)
			}
		}
		if l.open != 12 {
			t.Errorf("%d connections are open", l.open)
		}
	})
}

// TestProxyRefused: a connection of a trusted proxy that is closed at once returns nothing, because
// it took nothing. Otherwise direct clients would be locked out.
func TestProxyRefused(t *testing.T) {
	l := newConns(nil, &Config{MaxConns: 2}, func(netip.Addr) bool { return true }, func() {})
	open := func(home netip.Addr) (c, victim *conn) {
		a, b := net.Pipe()
		t.Cleanup(func() { a.Close(); b.Close() })
		c = &conn{Conn: a, of: l, held: l.homes.lend(home)}
		return c, l.admit(c)
	}
	for range 2 {
		c, victim := open(netip.Addr{})
		if victim != nil {
			t.Fatal("a connection is closed for another one below the limit")
		}
		c.move(ClientN(1), answering)
		defer c.Close()
	}
	if c, victim := open(netip.Addr{}); victim != c || l.homes.used != 0 {
		t.Errorf("closed: %v; direct clients have %d connections", victim, l.homes.used)
	}
	for c := range l.groups[ClientN(1)][answering].Len() {
		_ = front(&l.groups[ClientN(1)][answering]).Close()
		if direct, victim := open(ClientN(2 + c)); victim == direct {
			t.Error("a direct client is locked out")
		}
	}
}

// TestVictimsArriving: slow requests of several clients occupy all connections. That of
// another client whose request arrives is not closed for a further one, unless that takes
// long, or the client has too many.
func TestVictimsArriving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newConns(nil, &Config{MaxConns: 20, Bounds: Bounds{HeaderTimeout: 5 * time.Second}},
			func(netip.Addr) bool { return false }, func() {})
		names := make(map[*conn]string)
		open := func(name string, client int) (c *conn, victim string) {
			a, b := net.Pipe()
			t.Cleanup(func() { a.Close(); b.Close() })
			c = &conn{Conn: a, of: l, held: l.homes.lend(ClientN(client))}
			names[c] = name
			return c, names[l.admit(c)]
		}
		expect := func(name string, client int, want string) *conn {
			t.Helper()
			time.Sleep(time.Millisecond)
			c, victim := open(name, client)
			if victim != want {
				t.Errorf("%s: %q was closed, want %q", name, victim, want)
			}
			return c
		}
		for i := range 20 {
			time.Sleep(time.Millisecond)
			c, _ := open(fmt.Sprintf("slow%d", i), 1+i%2)
			c.move(c.held.client, answering)
		}
		time.Sleep(time.Second)
		expect("honest", 3, "slow0")
		kept := expect("kept", 4, "slow1")
		connState(kept, http.StateIdle)
		connState(kept, http.StateActive)
		expect("next", 5, "slow2")
		connState(kept, http.StateIdle)
		expect("after an idle one", 6, "kept")
		time.Sleep(6 * time.Second)
		expect("after a late one", 7, "honest")
		time.Sleep(time.Second)
		for i := range 5 { // 8 has more than its share of three
			open(fmt.Sprintf("many%d", i), 8)
		}
		expect("after many", 9, "many0")
	})
}

// TestHandlerWithoutServer: a handler is a handler of any server.
func TestHandlerWithoutServer(t *testing.T) {
	s, err := New(Config{UserAgent: "TestBot (+https://shop.example)"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.fetcher.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/check", strings.NewReader(SmallCheck))
	r.Header.Set("Content-Type", typeJSON)
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}
