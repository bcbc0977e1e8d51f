package watch_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

var message = wire.WatchMessage{ID: "1-2", At: start, Gravity: wire.GravityHigh, Text: "a <b> & $(touch x)\n- c", Sites: 1, Watched: 1,
	Events: []wire.WatchEvent{}}

// TestCutLine: a message begins on a new line if a process was killed while it wrote the one before.
func TestCutLine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: an output that is open for writing cannot be read")
	}
	for _, isJSON := range []bool{true, false} {
		name := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(name, []byte(`{"id":"1-`), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		m := message
		m.Events = []wire.WatchEvent{{Site: "https://a.example", At: start}}
		var whole strings.Builder
		if err := (&watch.Lines{Out: &whole, JSON: isJSON}).Deliver(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := (&watch.Lines{Out: out, JSON: isJSON}).Deliver(t.Context(), &m); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(name)
		if want := "{\"id\":\"1-\n" + whole.String() + whole.String(); string(text) != want || err != nil {
			t.Errorf("got %q, %v, want %q", text, err, want)
		}
	}
}

// TestWebhook: a request is signed, and sent again after errors that may pass, with the same id.
func TestWebhook(t *testing.T) {
	t.Parallel()
	secret := []byte("0123456789abcdef")
	answers := []int{503, 429, 200}
	var ids []string
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		at, err := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		if err != nil || r.Header.Get("webhook-signature") != watch.Sign(secret, r.Header.Get("webhook-id"), time.Unix(at, 0), body) {
			t.Errorf("wrong signature: %v", r.Header)
		}
		var m wire.WatchMessage
		if err := json.Unmarshal(body, &m); err != nil || m.Text != "a &lt;b&gt; &amp; $(touch x)\n- c" {
			t.Errorf("got %s, %v", body, err)
		}
		ids = append(ids, r.Header.Get("webhook-id"))
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(answers[len(ids)-1])
	}))
	defer hook.Close()
	output := &watch.Webhook{URL: hook.URL + "/secret", Secret: secret, Agent: "robots", Client: hook.Client()}
	if err := output.Deliver(t.Context(), &message); err != nil {
		t.Error(err)
	}
	if got := strings.Join(ids, " "); got != "1-2 1-2 1-2" {
		t.Errorf("got %q", got)
	}
	answers = append(answers, 400)
	err := output.Deliver(t.Context(), &message)
	if err == nil || len(ids) != 4 || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v after %d requests", err, len(ids))
	}
}

// TestWebhookText: no text of a watched file calls people or makes a link in a chat. Other
// fields, and other outputs, have the text as it is.
func TestWebhookText(t *testing.T) {
	const hostile = "https://shop.example closes /<!channel> <!here> <!everyone> <@U1> <https://evil.example|x> & @all @everyone user@shop.example ![x](https://evil.example/x.png) for *"
	m := message
	m.Text = hostile
	m.Events = []wire.WatchEvent{{ID: "3", Site: "https://shop.example", Changes: []wire.WatchChange{{Text: hostile}}}}
	secret := []byte("0123456789abcdef")
	var posted wire.WatchMessage
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		at, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		if r.Header.Get("webhook-signature") != watch.Sign(secret, r.Header.Get("webhook-id"), time.Unix(at, 0), body) {
			t.Error("the signature is not that of the body")
		}
		if err := json.Unmarshal(body, &posted); err != nil {
			t.Error(err)
		}
	}))
	defer hook.Close()
	if err := (&watch.Webhook{URL: hook.URL, Secret: secret, Client: hook.Client()}).Deliver(t.Context(),
		&m); err != nil {
		t.Fatal(err)
	}
	const want = "https://shop.example closes /&lt;!channel&gt; &lt;!here&gt; &lt;!everyone&gt; &lt;@\u200dU1&gt; &lt;https://evil.example|x&gt; &amp; @\u200dall @\u200deveryone user@\u200dshop.example ![x]\u200d(https://evil.example/x.png) for *"
	if posted.Text != want {
		t.Errorf("%q, want\n%q", posted.Text, want)
	}
	if got := posted.Events[0].Changes[0].Text; got != hostile || m.Text != hostile {
		t.Errorf("the event has %q, the message %q", got, m.Text)
	}
	var out bytes.Buffer
	if err := (&watch.Exec{Command: "cat", Out: &out}).Deliver(t.Context(), &m); runtime.GOOS != "windows" &&
		(err != nil || json.Unmarshal(out.Bytes(), &posted) != nil || posted.Text != hostile) {
		t.Errorf("the command read %q (%v)", out.String(), err)
	}
}

// The example of standardwebhooks.com.
func TestSign(t *testing.T) {
	key, err := watch.ReadSecret([]byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := watch.Sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("got %s", got)
	}
}

// TestExec: the command reads the message, and no text of it is run.
func TestExec(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is one of sh")
	}
	t.Chdir(t.TempDir())
	if err := (&watch.Exec{Command: "cat >message", Out: io.Discard}).Deliver(t.Context(), &message); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("message")
	var m wire.WatchMessage
	if err != nil || json.Unmarshal(text, &m) != nil || m.Text != message.Text {
		t.Errorf("got %s, %v", text, err)
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a text was run")
	}
	var out bytes.Buffer
	if err := (&watch.Exec{Command: "echo oops; exit 3", Out: &out}).Deliver(t.Context(), &message); err == nil || out.String() != "oops\n" {
		t.Errorf("got %v, %q", err, out.String())
	}
}

// TestAtom: the feed has the messages, the newest first, well formed.
func TestAtom(t *testing.T) {
	w := newWorld(t)
	w.set("a.example", shop)
	p, _ := newPasses(t, w, "a.example")
	store := openStore(t, p.folder)
	name := filepath.Join(t.TempDir(), "feed.xml")
	p.outputs = []watch.Output{&watch.Atom{File: name, Store: store}}
	for _, body := range []string{shop, closed, closed, shop, shop} {
		w.set("a.example", body)
		if _, err := p.run(60); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Updated string   `xml:"updated"`
		Entries []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(text, &feed); err != nil {
		t.Fatal(err)
	}
	if len(feed.Entries) != 2 || !strings.Contains(feed.Entries[0].Title, "opens") ||
		!strings.Contains(feed.Entries[1].Title, "closes") || !strings.HasPrefix(feed.Entries[0].ID, "urn:uuid:") {
		t.Errorf("got %+v", feed)
	}
}
