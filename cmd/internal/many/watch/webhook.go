package watch

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/faulttext"
	_ "github.com/kosterhq/robotstxt/internal/faulttext/network" // words for the errors of requests
)

// Webhook sends each message as JSON to a URL, signed as Standard Webhooks describes
// (standardwebhooks.com): the headers webhook-id, webhook-timestamp, and webhook-signature
// with the HMAC-SHA256 of "ID.TIMESTAMP.BODY". Only the field text is escaped for chats,
// which read it as their markup.
type Webhook struct {
	URL    string
	Secret []byte // nil sends no signature
	Agent  string // the User-Agent header
	Client *http.Client

	// Wait waits before a further attempt. nil means a timer.
	Wait func(context.Context, time.Duration) error
}

// ReadSecret returns the key of a secret: the bytes that base64 after "whsec_" encodes,
// otherwise the text's own bytes without the white space around it.
func ReadSecret(text []byte) ([]byte, error) {
	text = bytes.TrimSpace(text)
	encoded, isEncoded := bytes.CutPrefix(text, []byte("whsec_"))
	if !isEncoded {
		if len(text) < 16 {
			return nil, fmt.Errorf("the secret has %d bytes, but needs at least 16", len(text))
		}
		return text, nil
	}
	key, err := base64.StdEncoding.DecodeString(string(encoded))
	if err != nil {
		return nil, errors.New("the text after whsec_ is not base64")
	}
	return key, nil
}

// Name returns a digest of the URL, which can contain a secret.
func (w *Webhook) Name() string { return "webhook " + uuid(w.URL) }

// attempts is the number of times that a message is sent before the output waits for the next
// delivery.
const attempts = 4

// firstWait is the wait before the second attempt. The wait doubles for each further attempt.
const firstWait = time.Second

// maxWait bounds a wait that the server requests.
const maxWait = 20 * time.Second

// Deliver sends a message, again after an error of the network and the statuses 408, 429
// and 5xx.
func (w *Webhook) Deliver(ctx context.Context, m *wire.WatchMessage) error {
	posted := *m
	posted.Text = chatText.Replace(term.Unlinked(m.Text))
	body, err := json.Marshal(posted)
	if err != nil {
		return err
	}
	for attempt, wait := 1, firstWait; ; attempt, wait = attempt+1, 2*wait {
		again, asked, err := w.send(ctx, m.ID, body)
		if err == nil || !again || attempt == attempts || ctx.Err() != nil {
			return err
		}
		if w.sleep(ctx, min(max(wait, asked), maxWait)) != nil {
			return err
		}
	}
}

// chatText keeps a text of a watched file from calling people or making links in a chat.
// Slack reads <!channel> and <https://…|text>, and requires that these three characters are
// escaped. Mattermost and Discord read @all and @everyone, even within a word, and have no
// escape for them.
var chatText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@"+term.Joiner)

// send sends a message once. again reports whether a further attempt might succeed, after the
// wait that the server requests.
func (w *Webhook) send(ctx context.Context, id string, body []byte) (again bool, asked time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return false, 0, errors.New("--webhook is not a URL")
	}
	now := time.Now()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", w.Agent)
	r.Header["webhook-id"] = []string{id}
	r.Header["webhook-timestamp"] = []string{strconv.FormatInt(now.Unix(), 10)}
	if w.Secret != nil {
		r.Header["webhook-signature"] = []string{Sign(w.Secret, id, now, body)}
	}
	response, err := w.Client.Do(r)
	if err != nil {
		return true, 0, errors.New("the webhook is unreachable: " + faulttext.Of(err)) // without the URL, which can contain a secret
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection can be used again
	if response.StatusCode/100 == 2 {
		return false, 0, nil
	}
	again = response.StatusCode/100 == 5 || response.StatusCode == http.StatusRequestTimeout ||
		response.StatusCode == http.StatusTooManyRequests
	return again, fetch.RetryAfter(response.Header, now), fmt.Errorf("the webhook answered with status %d", response.StatusCode)
}

// Sign returns the value of the header webhook-signature.
func Sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (w *Webhook) sleep(ctx context.Context, d time.Duration) error {
	if w.Wait != nil {
		return w.Wait(ctx, d)
	}
	return sleep(ctx, d)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
