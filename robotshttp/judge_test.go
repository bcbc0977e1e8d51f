package robotshttp_test

import (
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// TestCause checks what a DisallowedError says about each cause.
func TestCause(t *testing.T) {
	noNetwork := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}
	for _, test := range []struct {
		cause     robotshttp.Cause
		status    int
		err       error
		policy    fetch.Policy
		temporary bool
		wait      time.Duration // the longest
	}{
		{robotshttp.CauseRule, 200, nil, fetch.GooglePolicy, false, 0},
		{robotshttp.CauseForbidden, 403, nil, fetch.KosterPolicy, false, 0},
		{robotshttp.CauseUnreachable, 503, nil, fetch.GooglePolicy, true, time.Minute},
		{robotshttp.CauseUnreachable, 0, errors.New("down"), fetch.GooglePolicy, true, time.Minute},
		{robotshttp.CauseLocal, 0, noNetwork, fetch.GooglePolicy, true, 10 * time.Second},
	} {
		robots := newRobots(t, fetch.Config{Policy: test.policy, Network: fetch.Network{
			Transport: roundTripper(func(*http.Request) (*http.Response, error) {
				return answer(test.status, nil, "User-agent: *\nDisallow: /cart\n"), test.err
			})}})
		client := &http.Client{Transport: &robotshttp.Transport{Client: robots,
			Base: roundTripper(func(*http.Request) (*http.Response, error) {
				t.Errorf("%v: the request was sent", test.cause)
				return nil, errors.New("sent")
			})}}
		_, err := client.Get("https://shop.example/cart")
		var refused *robotshttp.DisallowedError
		if !errors.As(err, &refused) {
			t.Fatalf("%v: %v", test.cause, err)
		}
		if refused.Cause() != test.cause || refused.Temporary() != test.temporary ||
			(refused.RetryAfter() > 0) != test.temporary || refused.RetryAfter() > test.wait {
			t.Errorf("%v: %v, temporary %v, again in %v", test.cause, refused.Cause(), refused.Temporary(), refused.RetryAfter())
		}
		var fault *fetch.FaultError
		ok := errors.As(err, &fault)
		if ok != test.temporary || ok && fault.Local() != (test.cause == robotshttp.CauseLocal) {
			t.Errorf("%v: %v", test.cause, fault)
		}
		if outer := (*url.Error)(nil); !errors.As(err, &outer) || outer.Temporary() != test.temporary {
			t.Errorf("%v: the error of the client is not temporary as well", test.cause)
		}
	}
	refused := &robotshttp.DisallowedError{Decision: fetch.Decision{Result: &fetch.Result{
		Outcome: fetch.OutcomeDisallowAll, Reason: "refused-address", NextTry: time.Now().Add(time.Hour)}}}
	if refused.Temporary() || refused.RetryAfter() != 0 || refused.Cause() != robotshttp.CauseUnreachable {
		t.Error("a refused address is temporary")
	}
}

// A crawler drops a URL that a rule disallows, and queues one again whose
// robots.txt is unreachable.
func ExampleDisallowedError() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer site.Close()
	robots, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example/about)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer robots.Close()
	client := &http.Client{Transport: &robotshttp.Transport{Client: robots}}

	_, err = client.Get(site.URL + "/shoes")
	if refused := (*robotshttp.DisallowedError)(nil); errors.As(err, &refused) {
		if refused.Temporary() {
			fmt.Println("queue again:", refused.Cause(), refused.RetryAfter() > 20*time.Second)
		} else {
			fmt.Println("drop:", refused.Decision.Line)
		}
	}
	// Output:
	// queue again: unreachable true
}
