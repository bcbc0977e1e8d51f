package audit_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

// TestHostsOutcome: what a client says of a site counts, and not what its status would mean as one of HTTP: 332
// of FTP requires an account, which Google takes for no restrictions, and 332 of HTTP would be a redirect.
func TestHostsOutcome(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 hello\r\n")
			_, _ = conn.Read(make([]byte, 100)) // USER
			fmt.Fprint(conn, "332 an account is required\r\n")
			conn.Close()
		}
	}()
	for policy, want := range map[fetch.Policy]string{fetch.GooglePolicy: "allow-all", fetch.KosterPolicy: "disallow-all"} {
		client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0", Policy: policy, Network: fetch.Network{AllowPrivate: true}})
		if err != nil {
			t.Fatal(err)
		}
		source := audit.Hosts("hosts", func() (io.Reader, func(), error) {
			return strings.NewReader("ftp://" + l.Addr().String() + "\n"), func() {}, nil
		}, client)
		err = source.Files(t.Context(), func(in *audit.Input) error {
			if in.Status != 332 || string(in.Outcome) != want || in.Problem != "" {
				t.Errorf("%v: status %d, outcome %q, problem %q, want %s", policy, in.Status, in.Outcome, in.Problem, want)
			}
			if in.Detail == "" {
				t.Errorf("%v: the reason is not said", policy)
			}
			return nil
		})
		client.Close()
		if err != nil {
			t.Error(err)
		}
		problem, err := audit.ProblemOf(context.Background(), &audit.Input{Host: "h", Status: 332, Outcome: "allow-all"}, policy)
		if problem != "" || err != nil {
			t.Errorf("%v: problem %q, %v", policy, problem, err)
		}
	}
}
