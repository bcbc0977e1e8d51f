package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/api"
)

// newShared returns a server whose clients are those of X-Forwarded-For.
func newShared(t *testing.T, change func(*Config)) (s *Server, url string) {
	t.Helper()
	c := Config{UserAgent: "test (+https://shop.example)", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, Listeners{Service: l}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if s.memory.used != 0 || s.underway.used != 0 || s.streams.used != 0 || s.work.used != 0 || s.all.used != 0 {
			t.Errorf("at the end %d bytes, %d requests, %d streams, %d and %d turns are used",
				s.memory.used, s.underway.used, s.streams.used, s.work.used, s.all.used)
		}
	})
	return s, "http://" + l.Addr().String()
}

// query sends a request of a client.
func query(t *testing.T, url, name string, client int, body string) (status int, answer []byte, header http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/"+name, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", typeJSON)
	r.Header.Set("X-Forwarded-For", clientN(client).String())
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Error(err)
		return 0, nil, nil
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		t.Errorf("status %d: %v", response.StatusCode, err)
	}
	if status = response.StatusCode; (status == 429 || status == 503) != (response.Header.Get("Retry-After") != "") {
		t.Errorf("status %d with Retry-After %q", status, response.Header.Get("Retry-After"))
	}
	return status, answer, response.Header
}

// wantOK sends a request of a client that must be answered.
func wantOK(t *testing.T, url, name string, client int, body string) {
	t.Helper()
	if status, answer, _ := query(t, url, name, client, body); status != http.StatusOK {
		t.Errorf("client %d: status %d: %.300s", client, status, answer)
	}
}

// amplifying returns a request whose answers are a thousand times as long.
func amplifying(t *testing.T, urls, agents int) string {
	t.Helper()
	r := map[string]any{"body": "User-agent: *\nDisallow: /p" + strings.Repeat("*", 430) + "\n"}
	var names, paths []string
	for i := range agents {
		names = append(names, fmt.Sprintf("%c%c%c", 'a'+i/100, 'a'+i/10%10, 'a'+i%10))
	}
	for i := range urls {
		paths = append(paths, fmt.Sprintf("/p%d", i))
	}
	r["agents"], r["urls"] = names, paths
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const smallCheck = `{"body":"User-agent: *\nDisallow: /\n","urls":["/cart"]}`

// TestLongAnswersAreStreamed: the memory for the answers does not depend on their number,
// and what the client gets is what a call of package api returns.
func TestLongAnswersAreStreamed(t *testing.T) {
	s, url := newShared(t, func(c *Config) { c.RequestMemory = 4 << 20 })
	request := amplifying(t, 10, 1000)
	status, answer, header := query(t, url, "check", 1, request)
	want, err := api.Calls()["check"](t.Context(), []byte(request), api.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusOK || !bytes.Equal(answer, want) || header.Get("Content-Length") != "" {
		t.Errorf("status %d, %d bytes, want %d: %.300s", status, len(answer), len(want), answer)
	}
	if int64(len(answer)) < s.memory.limit {
		t.Errorf("the answer has only %d bytes", len(answer))
	}
	_, answer, header = query(t, url, "check", 1, amplifying(t, 1, 100))
	if header.Get("Content-Length") != fmt.Sprint(len(answer)) {
		t.Errorf("an answer of %d bytes has the length %q", len(answer), header.Get("Content-Length"))
	}
}

// TestOneClientCannotExhaust: while a client sends many requests with long answers, another
// one has its answers, and the memory stays below its limit.
func TestOneClientCannotExhaust(t *testing.T) {
	_, url := newShared(t, func(c *Config) { c.RequestMemory, c.MaxWork = 8<<20, 1 })
	request := amplifying(t, 5, 1000)
	var attack sync.WaitGroup
	for range 16 {
		attack.Go(func() {
			if status, answer, _ := query(t, url, "check", 1, request); status != 200 && status != 429 && status != 503 {
				t.Errorf("status %d: %.300s", status, answer)
			}
		})
	}
	for range 16 {
		wantOK(t, url, "check", 2, smallCheck)
	}
	wantOK(t, url, "lint", 2, `{"body":"User-agent: *\nDisalow: /\n"}`)
	attack.Wait()
}

// connect sends a request of a client and reads nothing.
func connect(t *testing.T, url string, client, length int, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.(*net.TCPConn).SetReadBuffer(4096)
	head := fmt.Sprintf("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"X-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n", clientN(client), length)
	go io.WriteString(conn, head+body) // an error means that the service reads no more
	return conn
}

// until waits for a state of the server that does not end by itself.
func until(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for range 2000 {
		if reached() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: not reached", what)
}

func (b *budget) inUse(client int) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clients[clientN(client)]
}

// TestStalledUploads: bodies that do not arrive use the share of their client alone.
func TestStalledUploads(t *testing.T) {
	s, url := newShared(t, func(c *Config) { c.RequestMemory, c.BodyTimeout = 16<<20, time.Minute })
	const size = 1 << 20
	for range 70 {
		connect(t, url, 1, size, strings.Repeat(" ", size-1))
	}
	until(t, "the share of the uploads", func() bool { return s.memory.inUse(1) > 10<<20 })
	body := `{"body":"` + strings.Repeat("#", 100_000) + `","urls":["/cart"]}`
	for range 5 {
		wantOK(t, url, "check", 2, body)
	}
}

// TestUnreadAnswersKeepNothing: clients that do not read hold buffers, and no turn.
func TestUnreadAnswersKeepNothing(t *testing.T) {
	s, url := newShared(t, func(c *Config) { c.RequestMemory, c.MaxWork, c.MaxRequests = 32<<20, 1, 1 })
	request := amplifying(t, 20, 1000)
	for range 8 {
		conn := connect(t, url, 1, len(request), request)
		if _, err := io.ReadFull(conn, make([]byte, 15)); err != nil { // the answer has begun
			t.Fatal(err)
		}
	}
	until(t, "the end of the turns", func() bool { return s.work.inUse(1) == 0 && s.work.waiting() == 0 })
	if used := s.memory.inUse(1); used > 8<<20 {
		t.Errorf("eight answers of 14 MB use %d bytes", used)
	}
	for client := range 3 {
		wantOK(t, url, "check", client, request)
	}
}

// TestRequestsOfAClient: a client behind a proxy has a number of requests at the same time.
func TestRequestsOfAClient(t *testing.T) {
	s, url := newShared(t, func(c *Config) { c.ClientConns, c.BodyTimeout = 3, time.Minute })
	for range 3 {
		connect(t, url, 1, 100, "{")
	}
	until(t, "three requests", func() bool { return s.underway.inUse(1) == 3 })
	status, answer, _ := query(t, url, "check", 1, smallCheck)
	if status != 429 || !strings.Contains(string(answer), `"client-requests"`) {
		t.Errorf("status %d: %s", status, answer)
	}
	wantOK(t, url, "check", 2, smallCheck)
}

// TestStreamsOfAClient: some streams are always left for others.
func TestStreamsOfAClient(t *testing.T) {
	s, url := newShared(t, func(c *Config) { c.MaxStreams, c.BodyTimeout = 10, time.Minute })
	open := func(client int) *http.Response {
		r, w := io.Pipe()
		t.Cleanup(func() { w.Close() })
		go io.WriteString(w, `{"body":""}`+"\n\"/\"\n")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/check", r)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", typeLines)
		request.Header.Set("X-Forwarded-For", clientN(client).String())
		response, err := (&http.Client{Transport: &http.Transport{}}).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	for i := range 8 {
		if response := open(1); response.StatusCode != http.StatusOK {
			t.Errorf("stream %d: status %d", i, response.StatusCode)
		}
	}
	if response := open(1); response.StatusCode != 429 || response.Header.Get("Retry-After") == "" {
		t.Errorf("the ninth stream of a client: status %d", response.StatusCode)
	}
	if response := open(2); response.StatusCode != http.StatusOK {
		t.Errorf("another client: status %d", response.StatusCode)
	}
	if used := s.streams.inUse(1); used != 8 {
		t.Errorf("%d streams", used)
	}
}

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

// TestSlowTransfers: a client that sends or reads at less than the least rate is cut off,
// although it never waits for long.
func TestSlowTransfers(t *testing.T) {
	s, err := New(Config{
		UserAgent: "test (+https://shop.example)", MinRate: 1000, BodyTimeout: time.Hour, WriteTimeout: 30 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.fetcher.Close()
	synctest.Test(t, func(t *testing.T) {
		service := s.server(s)
		l := make(pipes)
		ended := make(chan error)
		go func() { ended <- service.Serve(l) }()
		head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
		for _, rate := range []int{100, 2000} { // bytes a second
			client, server := net.Pipe()
			l <- server
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
		request := amplifying(t, 1, 1000)
		for _, rate := range []int{100, 20_000} {
			client, server := net.Pipe()
			l <- server
			began := time.Now()
			go fmt.Fprintf(client, head, len(request), request)
			read := 0
			for {
				n, err := client.Read(make([]byte, rate))
				if read += n; err != nil {
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
		close(l)
		<-ended
		service.Close()
	})
}

// TestVictims: which connection is closed if there are too many.
func TestVictims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proxy := netip.MustParseAddr("10.0.0.1")
		l := newConns(nil, &Config{MaxConns: 12, HeaderTimeout: 5 * time.Second}, func(ip netip.Addr) bool { return ip == proxy }, func() {})
		names := make(map[*conn]string)
		open := func(name string, home netip.Addr, client int, to state) (victim string) {
			a, b := net.Pipe()
			t.Cleanup(func() { a.Close(); b.Close() })
			c := &conn{Conn: a, of: l, home: home}
			names[c] = name
			found := l.admit(c)
			if client > 0 {
				c.move(clientN(client), to)
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
		fill(2, "idle of 1/", clientN(1), 1, idle)
		fill(1, "idle of the proxy/", none, 0, idle)
		fill(7, "slow of 3/", none, 3, answering) // through the proxy
		fill(2, "busy of 2/", clientN(2), 2, answering)
		time.Sleep(10 * time.Second)
		for i, want := range []string{
			"idle of 1/0", "idle of 1/1", "slow of 3/0", "slow of 3/1", "slow of 3/2", "idle of the proxy/0", "new6",
		} {
			// Each new connection is that of another client, and is being answered at once.
			if victim := open(fmt.Sprint("new", i), clientN(10+i), 10+i, answering); victim != want {
				t.Errorf("connection %d: %q was closed, want %q", i, victim, want)
			}
		}
		if l.open != 12 {
			t.Errorf("%d connections are open", l.open)
		}
	})
}

// TestVictimsArriving: slow requests of several clients occupy all connections. That of
// another client whose request arrives is not closed for a further one, unless that takes
// long, or the client has too many.
func TestVictimsArriving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newConns(nil, &Config{MaxConns: 20, HeaderTimeout: 5 * time.Second}, func(netip.Addr) bool { return false }, func() {})
		names := make(map[*conn]string)
		open := func(name string, client int) (c *conn, victim string) {
			a, b := net.Pipe()
			t.Cleanup(func() { a.Close(); b.Close() })
			c = &conn{Conn: a, of: l, home: clientN(client)}
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
			c.move(c.home, answering)
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

// TestLargeFilesTakeTurns: what is derived from a large file of a site is made in a turn, from
// a small one at once.
func TestLargeFilesTakeTurns(t *testing.T) {
	sizes := map[string]int{"large.example": 2 * shortFile, "small.example": 100}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat("Disallow: /a\n", sizes[r.Host]/13))
	}))
	defer site.Close()
	s, url := newShared(t, func(c *Config) {
		c.MaxWork, c.Resolver = 1, publicNames{}
		c.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, site.Listener.Addr().String())
		}
	})
	for i := range 2 {
		if err := s.work.enter(t.Context(), clientN(100+i), true, 0); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan int, 1)
	question := `{"agents":["a"],"urls":["http://%s/b"]}`
	wantOK(t, url, "check", 1, fmt.Sprintf(question, "small.example"))
	go func() {
		status, _, _ := query(t, url, "check", 1, fmt.Sprintf(question, "large.example"))
		ended <- status
	}()
	until(t, "the wait for a turn", func() bool { return s.work.waiting() == 1 })
	s.work.leave(clientN(100))
	if status := <-ended; status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	s.work.leave(clientN(101))
}

// publicNames is a resolver for which all names have an address that the guard accepts.
type publicNames struct{}

func (publicNames) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
}

// TestHandlerWithoutServer: a handler is a handler of any server.
func TestHandlerWithoutServer(t *testing.T) {
	s, err := New(Config{UserAgent: "test (+https://shop.example)"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.fetcher.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/check", strings.NewReader(smallCheck))
	r.Header.Set("Content-Type", typeJSON)
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// waiting returns how many requests wait.
func (t *turns) waiting() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, in := range []*queues{&t.first, &t.later} {
		for _, queue := range in.of {
			n += len(queue)
		}
	}
	return n
}
