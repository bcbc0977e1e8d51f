package ftp_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	ftpserver "goftp.io/server/v2"
	ftpfile "goftp.io/server/v2/driver/file"
)

// auth accepts or refuses anonymous users.
type auth bool

func (a auth) CheckPasswd(_ *ftpserver.Context, user, _ string) (bool, error) {
	return bool(a) && user == "anonymous", nil
}

// start serves a folder without the given commands, separated by spaces, and
// returns its URL.
func start(t *testing.T, folder string, auth auth, without string) string {
	t.Helper()
	driver, err := ftpfile.NewDriver(folder)
	if err != nil {
		t.Fatal(err)
	}
	commands := maps.Clone(ftpserver.DefaultCommands())
	for command := range strings.FieldsSeq(without) {
		delete(commands, command)
	}
	server, err := ftpserver.NewServer(&ftpserver.Options{
		Driver: driver, Auth: auth, Commands: commands, Perm: ftpserver.NewSimplePerm("o", "g"),
		PublicIP: "127.0.0.1", Logger: new(ftpserver.DiscardLogger),
	})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- server.Serve(ln) }()
	t.Cleanup(func() {
		_ = ln.Close()
		if err := <-served; err != nil && !errors.Is(err, net.ErrClosed) && err != io.EOF {
			t.Error(err)
		}
	})
	return "ftp://" + ln.Addr().String()
}

func TestServer(t *testing.T) {
	const file = "User-agent: *\nDisallow: /private\n"
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "robots.txt"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		folder  string
		auth    auth
		without string // commands
		want    string // outcome, source, status, and the size of rules
	}{
		{"EPSV", full, true, "", "rules network 226 33"},
		{"PASV", full, true, "EPSV", "rules network 226 33"},
		{"no FEAT", full, true, "FEAT", "rules network 226 33"},
		{"neither EPSV nor PASV", full, true, "EPSV PASV", "disallow-all assumed 500 0"},
		{"no file", t.TempDir(), true, "", "disallow-all assumed 551 0"},
		{"no login", full, false, "", "allow-all network 530 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0", Network: fetch.Network{AllowPrivate: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			r, err := client.Robots(t.Context(), start(t, tt.folder, tt.auth, tt.without))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%v %v %d %d", r.Outcome, r.Source, r.Status, r.Bytes); got != tt.want {
				t.Errorf("got  %s\nwant %s\nerr  %v", got, tt.want, r.Err)
			}
		})
	}
}
