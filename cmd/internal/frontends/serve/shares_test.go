package serve_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// shared starts a service whose clients are those of X-Forwarded-For.
func shared(t *testing.T, to *site, change func(*serve.Config)) *service {
	t.Helper()
	return start(t, to, func(c *serve.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		change(c)
	})
}

// query sends a request of a client.
func (s *service) query(name string, client int, body string) (status int, answer string, header http.Header) {
	s.t.Helper()
	status, answer, header = s.request("POST", "/v1/"+name, body, "Content-Type", "application/json", "X-Forwarded-For", serve.ClientN(client).String())
	if (status == 429 || status == 503) != (header.Get("Retry-After") != "") {
		s.t.Errorf("status %d with Retry-After %q", status, header.Get("Retry-After"))
	}
	return status, answer, header
}

// wantOK sends a request of a client that must be answered.
func (s *service) wantOK(name string, client int, body string) {
	s.t.Helper()
	if status, answer, _ := s.query(name, client, body); status != http.StatusOK {
		s.t.Errorf("client %d: status %d: %.300s", client, status, answer)
	}
}

// wantOKInTime asks again if a busy machine takes longer than a short timeout of the test's service.
func (s *service) wantOKInTime(name string, client int, body string) {
	s.t.Helper()
	for began := time.Now(); ; {
		status, answer, _ := s.query(name, client, body)
		if status == http.StatusOK {
			return
		}
		if !isLate(status) || time.Since(began) > serve.Patience {
			s.t.Errorf("client %d: status %d: %.300s", client, status, answer)
			return
		}
	}
}

// isLate reports whether a request had no answer, or no turn, in time.
func isLate(status int) bool {
	return status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// TestLongAnswersAreStreamed: the memory for the answers does not depend on their number,
// and what the client gets is what a call of package calls returns.
func TestLongAnswersAreStreamed(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.RequestMemory = 4 << 20 })
	request := serve.Amplifying(t, 10, 1000)
	status, answer, header := s.query("check", 1, request)
	want, err := calls.Calls()["check"](t.Context(), []byte(request), calls.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusOK || answer != string(want) || header.Get("Content-Length") != "" {
		t.Errorf("status %d, %d bytes, want %d: %.300s", status, len(answer), len(want), answer)
	}
	if len(answer) < 4<<20 {
		t.Errorf("the answer has only %d bytes", len(answer))
	}
	_, answer, header = s.query("check", 1, serve.Amplifying(t, 1, 100))
	if header.Get("Content-Length") != fmt.Sprint(len(answer)) {
		t.Errorf("an answer of %d bytes has the length %q", len(answer), header.Get("Content-Length"))
	}
}

// TestOneClientCannotExhaust: while a client sends many requests with long answers, another
// one has its answers, and the memory stays below its limit.
func TestOneClientCannotExhaust(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.RequestMemory, c.MaxWork = 8<<20, 1 })
	request := serve.Amplifying(t, 5, 1000)
	var attack sync.WaitGroup
	for range 16 {
		attack.Go(func() {
			if status, answer, _ := s.query("check", 1, request); status != 200 && status != 429 && status != 503 {
				t.Errorf("status %d: %.300s", status, answer)
			}
		})
	}
	for range 16 {
		s.wantOK("check", 2, serve.SmallCheck)
	}
	s.wantOK("lint", 2, `{"body":"User-agent: *\nDisalow: /\n"}`)
	attack.Wait()
}

// connect sends a query of a client and reads nothing.
func (s *service) connect(t *testing.T, client, length int, body string) net.Conn {
	t.Helper()
	return s.connectTo(t, "/v1/check", "application/json", client, length, body)
}

func (s *service) connectTo(t *testing.T, path, kind string, client, length int, body string) net.Conn {
	t.Helper()
	conn := s.dial(t)
	conn.SetReadBuffer(4096)
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"+
		"X-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n", path, kind, serve.ClientN(client), length)
	go io.WriteString(conn, head+body) // an error means that the service reads no more
	return conn
}

// until waits for a state of the server that does not end by itself.
func until(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for range serve.Patience / (5 * time.Millisecond) {
		if reached() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: not reached", what)
}

// TestStalledUploads: bodies that do not arrive use the share of their client alone.
func TestStalledUploads(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.RequestMemory, c.BodyTimeout = 16<<20, time.Minute })
	const size = 1 << 20
	for range 70 {
		s.connect(t, 1, size, strings.Repeat(" ", size-1))
	}
	until(t, "the share of the uploads", func() bool { return s.server.InUse(1).Memory > 10<<20 })
	body := `{"body":"` + strings.Repeat("#", 100_000) + `","urls":["/cart"]}`
	for range 5 {
		s.wantOK("check", 2, body)
	}
}

// TestUnreadAnswersKeepNothing: clients that do not read hold buffers, and no turn.
func TestUnreadAnswersKeepNothing(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.RequestMemory, c.MaxWork, c.MaxRequests = 32<<20, 1, 1 })
	request := serve.Amplifying(t, 20, 1000)
	for range 8 {
		conn := s.connect(t, 1, len(request), request)
		if _, err := io.ReadFull(conn, make([]byte, 15)); err != nil { // the answer has begun
			t.Fatal(err)
		}
	}
	until(t, "the end of the turns", func() bool { return s.server.InUse(1).Work == 0 && s.server.Waiting() == 0 })
	if used := s.server.InUse(1).Memory; used > 8<<20 {
		t.Errorf("eight answers of 14 MB use %d bytes", used)
	}
	for client := range 3 {
		s.wantOK("check", client, request)
	}
}

// TestUnreadPage: the page that answers a form repeats its texts, of which a byte may take five.
// While a client does not read the page, it counts as its memory.
func TestUnreadPage(t *testing.T) {
	s := shared(t, nil, func(*serve.Config) {})
	_, page, _ := s.request("GET", "/", "", "X-Forwarded-For", serve.ClientN(1).String())
	const size = 2 << 20
	body := "token=" + formToken.FindStringSubmatch(page)[1] + "&urls=/&body=" + strings.Repeat(`"`, size)
	conn := s.connectTo(t, "/form", "application/x-www-form-urlencoded", 1, len(body), body)
	if _, err := io.ReadFull(conn, make([]byte, 15)); err != nil { // the answer has begun
		t.Fatal(err)
	}
	if used := s.server.InUse(1).Memory; used < 5*5*size {
		t.Errorf("a page of %d bytes uses %d", 5*size, used)
	}
}

// TestRequestsOfAClient: a client behind a proxy has a number of requests at the same time.
func TestRequestsOfAClient(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.ClientConns, c.BodyTimeout = 3, time.Minute })
	for range 3 {
		s.connect(t, 1, 100, "{")
	}
	until(t, "three requests", func() bool { return s.server.InUse(1).Requests == 3 })
	status, answer, _ := s.query("check", 1, serve.SmallCheck)
	if status != 429 || !strings.Contains(answer, `"client-requests"`) {
		t.Errorf("status %d: %s", status, answer)
	}
	s.wantOK("check", 2, serve.SmallCheck)
}

// TestStreamsOfAClient: some streams are always left for others.
func TestStreamsOfAClient(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) { c.MaxStreams, c.BodyTimeout = 10, time.Minute })
	open := func(client int) *http.Response {
		r, w := io.Pipe()
		t.Cleanup(func() { w.Close() })
		go io.WriteString(w, `{"body":""}`+"\n\"/\"\n")
		response, err := s.stream(t.Context(), r, "X-Forwarded-For", serve.ClientN(client).String())
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
	if used := s.server.InUse(1).Streams; used != 8 {
		t.Errorf("%d streams", used)
	}
}

// TestLargeFilesTakeTurns: what is derived from a large file of a site is made in a turn, from
// a small one at once. A large request is decoded in a turn too.
func TestLargeFilesTakeTurns(t *testing.T) {
	sizes := map[string]int{"large.example": 2 * serve.ShortFile, "small.example": 100}
	site := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat("Disallow: /a\n", sizes[r.Host]/13))
	})
	s := shared(t, site, func(c *serve.Config) { c.MaxWork = 1 })
	var leave [2]func()
	for i := range leave {
		var err error
		leave[i], err = s.server.TakeTurn(t.Context(), 100+i)
		if err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan int, 1)
	question := `{"agents":["a"],"urls":["http://%s/b"]}`
	s.wantOK("check", 1, fmt.Sprintf(question, "small.example"))
	go func() {
		status, _, _ := s.query("check", 1, fmt.Sprintf(question, "large.example"))
		ended <- status
	}()
	until(t, "the wait for a turn", func() bool { return s.server.Waiting() == 1 })
	leave[0]()
	if status := <-ended; status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	again, err := s.server.TakeTurn(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		status, _, _ := s.query("check", 1, `{"x":"`+strings.Repeat("x", serve.ShortFile)+`"}`)
		ended <- status
	}()
	until(t, "the wait to be decoded", func() bool { return s.server.Waiting() == 1 })
	again()
	if status := <-ended; status != http.StatusBadRequest {
		t.Errorf("status %d", status)
	}
	leave[1]()
}

// TestManyFiles: the files in a request count before they are read, because 13 bytes of JSON
// become 416.
func TestManyFiles(t *testing.T) {
	s := start(t, nil, func(c *serve.Config) { c.RequestMemory = 16 << 20 })
	files := strings.Repeat(`{"schema":1},`, 20_000)
	s.want(http.StatusRequestEntityTooLarge, "check", `{"body":"","urls":["/"],"files":[`+strings.TrimSuffix(files, ",")+`]}`, `"code":"request-memory"`)
}
