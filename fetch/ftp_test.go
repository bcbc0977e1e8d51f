package fetch_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// ftpScript is an FTP server that works correctly except where a field says
// otherwise.
type ftpScript struct {
	replies map[string]string // by command, with PORT for the data port; "" sends nothing, "-" hangs up
	data    []step            // on the data connection; nil sends the file
	last    string            // after the transfer
	hangUp  bool              // after the transfer
}

var ftpReplies = map[string]string{
	"":     "220 Welcome",
	"USER": "331 Who else",
	"PASS": "230 Come in",
	"FEAT": "500 What?",
	"TYPE": "200 Fine",
	"EPSV": "229 Extended (|||PORT|)",
	"PASV": "227 Passive (127,0,0,1,PORT/256,PORT%256)",
	"RETR": "150 Here it comes",
	"QUIT": "221 Bye",
}

// silence as ftpScript.last sends no reply after the transfer.
const silence = "-"

const noEPSV = "500 What?"

func (f ftpScript) serve(t testing.TB) string {
	if f.data == nil {
		f.data = []step{say(file)}
	}
	if f.last == "" {
		f.last = "226 That was it"
	}
	played := make(chan struct{}, 16)
	data := listen(t, func(s *faultServer, conn net.Conn) {
		defer func() { conn.Close(); played <- struct{}{} }()
		for _, do := range f.data {
			if do(s, conn) != nil {
				return
			}
		}
	})
	control := listen(t, func(s *faultServer, conn net.Conn) { f.control(s, conn, data, played) })
	return control.url("ftp")
}

func (f ftpScript) control(s *faultServer, conn net.Conn, data *faultServer, played <-chan struct{}) {
	port := data.Addr().(*net.TCPAddr).Port
	reply := func(verb string) bool {
		text, ok := f.replies[verb]
		if !ok {
			text = ftpReplies[verb]
		}
		switch text {
		case "":
			return true
		case "-":
			return false
		}
		text = strings.NewReplacer("PORT/256", fmt.Sprint(port/256), "PORT%256", fmt.Sprint(port%256), "PORT", fmt.Sprint(port)).Replace(text)
		if say(text+"\r\n")(s, conn) != nil {
			return false
		}
		if verb != "RETR" || !strings.HasPrefix(text, "1") {
			return true
		}
		<-played
		if f.last == silence {
			return true
		}
		return !f.hangUp && say(f.last+"\r\n")(s, conn) == nil
	}
	if !reply("") {
		return
	}
	commands(conn, func(line string) bool {
		verb, _, _ := strings.Cut(line, " ")
		return reply(verb)
	})
}

func ftpSays(command, reply string) func(testing.TB) string {
	return ftpScript{replies: map[string]string{command: reply}}.serve
}

func ftpSends(last string, data ...step) func(testing.TB) string {
	return ftpScript{data: data, last: last}.serve
}

const (
	ftpFile    = "rules network 226 33 bytes"
	ftpInvalid = "disallow-all assumed 0: invalid response"
	ftpRefused = "disallow-all assumed 0: refused address"
)

func soon(c *fetch.Config) { c.Limits.FirstByteTimeout = patience }

func ftpFaults() []fault {
	rows := []fault{
		{"correct server", ftpScript{}.serve, nil, ftpFile},
		{"guard on, host trusted", ftpScript{}.serve, guarded, ftpFile},
		{"guard on", ftpScript{}.serve, func(c *fetch.Config) { c.Network.AllowPrivate = false }, "disallow-all assumed 0: refused address"},
		{"connection refused", func(t testing.TB) string {
			return "ftp://" + closedAddress(t).String()
		}, nil, "disallow-all assumed 0: connection refused"},
		{"no such name", func(testing.TB) string { return "ftp://robots.invalid" }, nil, "disallow-all assumed 0: DNS"},

		{"black hole", ftpSays("", ""), hasty, timeout},
		{"no greeting", ftpSays("", ""), soon, timeout},
		{"no reply to USER", ftpSays("USER", ""), soon, timeout},
		{"no reply to EPSV nor PASV", ftpScript{replies: map[string]string{"EPSV": "", "PASV": ""}}.serve, hasty, timeout},
		{"no reply to RETR", ftpSays("RETR", ""), soon, timeout},
		{"no reply after the transfer", ftpScript{last: silence}.serve, soon, timeout},
		{"hangs up at once", ftpSays("", "-"), nil, cut},
		{"hangs up after USER", ftpSays("USER", "-"), nil, cut},
		{"hangs up after the transfer", ftpScript{hangUp: true}.serve, nil, cut},

		{"greeting of HTTP", ftpSays("", "HTTP/1.1 400 Bad Request"), nil, ftpInvalid},
		{"greeting 120", ftpSays("", "120 Later"), nil, ftpInvalid},
		{"greeting 421", ftpSays("", "421 Full"), nil, "disallow-all assumed 421: status"},
		{"greeting 530", ftpSays("", "530 No"), nil, "allow-all network 530"},
		{"greeting 550", ftpSays("", "550 No"), nil, "disallow-all assumed 550: status"},
		{"greeting with control characters", ftpSays("", "421 \x1b[2J\x07\x00 \xff"), nil, "disallow-all assumed 421: status"},
		{"greeting of many lines", ftpSays("", "220-Hello\r\n230 not yet\r\n more\r\n220-and more\r\n\r\n220 Now"), nil, ftpFile},
		{"greeting without text", ftpSays("", "220"), nil, ftpFile},
		{"endless line", listenFTP(say("220 "), again(1000, sayBytes(page))), nil, ftpInvalid},
		{"endless line within a reply", listenFTP(say("220-\r\n"), again(1000, sayBytes(page))), nil, ftpInvalid},
		{"reply of endless lines", listenFTP(say("220-\r\n"), again(1<<20, say("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"))), nil, ftpInvalid},
		{"endless replies", listenFTP(again(1<<20, say("220 Hello\r\n"))), nil, ftpInvalid},
		{"control a byte a time", listenFTP(drip("220 "+strings.Repeat("x", 1000), 10*time.Millisecond)), soon, timeout},
		{"control reset", listenFTP(say("22"), reset), nil, "disallow-all assumed 0: connection reset"},

		{"login without a password", ftpSays("USER", "230 Come in"), nil, ftpFile},
		{"USER 530", ftpSays("USER", "530 Not you"), nil, "allow-all network 530"},
		{"USER 332", ftpSays("USER", "332 Account?"), nil, "allow-all network 332"},
		{"USER 421", ftpSays("USER", "421 Full"), nil, "disallow-all assumed 421: status"},
		{"PASS 530", ftpSays("PASS", "530 Not you"), nil, "allow-all network 530"},
		{"PASS 332", ftpSays("PASS", "332 Account?"), nil, "allow-all network 332"},
		{"PASS 530, Koster", ftpSays("PASS", "530 Not you"), func(c *fetch.Config) { c.Policy = fetch.KosterPolicy }, "disallow-all network 530"},
		{"PASS 550", ftpSays("PASS", "550 Broken"), nil, "disallow-all assumed 550: status"},

		{"PASV", ftpSays("EPSV", noEPSV), nil, ftpFile},
		{"PASV to another host", ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": "227 (127,0,0,2,PORT/256,PORT%256)"}}.serve, nil, ftpRefused},
		{"PASV to no host", ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": "227 (127,0,0,300,PORT/256,PORT%256)"}}.serve, nil, ftpFile},
		{"PASV to a system port", ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": "227 (127,0,0,1,0,22)"}}.serve, nil, ftpRefused},
		{"EPSV to a system port", ftpSays("EPSV", "229 (|||1023|)"), nil, ftpRefused},
		{"EPSV to a closed port", func(t testing.TB) string {
			return ftpSays("EPSV", fmt.Sprintf("229 (|||%d|)", closedAddress(t).Port))(t)
		}, nil, "disallow-all assumed 0: connection refused"},
		{"no PASV", ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": "502 Nor that"}}.serve, nil, "disallow-all assumed 502: status"},
		{"PASV 550", ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": "550 No"}}.serve, nil, "disallow-all assumed 550: status"},

		{"RETR 425", ftpSays("RETR", "425 No data connection"), nil, "disallow-all assumed 425: status"},
		{"RETR 426", ftpSays("RETR", "426 Broken"), nil, "disallow-all assumed 426: status"},
		{"RETR 450", ftpSays("RETR", "450 Busy"), nil, "disallow-all assumed 450: status"},
		{"RETR 451", ftpSays("RETR", "451 Error"), nil, "disallow-all assumed 451: status"},
		{"RETR 500", ftpSays("RETR", "500 What?"), nil, "disallow-all assumed 500: status"},
		{"RETR 530", ftpSays("RETR", "530 Not you"), nil, "allow-all network 530"},
		{"RETR 550", ftpSays("RETR", "550 No such file"), nil, "allow-all network 550"},
		{"RETR 551", ftpSays("RETR", "551 Not available"), nil, "disallow-all assumed 551: status"},
		{"RETR 125", ftpSays("RETR", "125 Here it comes"), nil, ftpFile},
		{"RETR 226", ftpSays("RETR", "226 Done?"), nil, ftpInvalid},

		{"226 without text", ftpSends("226"), nil, ftpFile},
		{"250 after the transfer", ftpSends("250 Done", say(file)), nil, ftpFile},
		{"426 after the transfer", ftpSends("426 Broken", say(file)), nil, "disallow-all assumed 426: status"},
		{"451 after the transfer", ftpSends("451 Error", say(file)), nil, "disallow-all assumed 451: status"},
		{"550 after the transfer", ftpSends("550 Gone", say(file)), nil, "disallow-all assumed 550: status"},
		{"data black hole", ftpSends("", hold), hasty, timeout},
		{"data a byte a time", ftpSends("", drip(strings.Repeat("#", 1000), 10*time.Millisecond)), hasty, timeout},
		{"data reset", ftpSends("", say(file), reset), nil, "disallow-all assumed 0: connection reset"},
		{"data without end", ftpSends("", again(1<<30, sayBytes(page))), nil, "rules network 226 0 bytes truncated"},
	}
	for _, reply := range []string{
		"227", "227 ", "227 )", "227 (", "227 )(", "227 )1,2,3,4,5,6(", "227 ()", "227 (,,,,,)", "227 (1,2,3,4,5)", "227 (1,2,3,4,5,6,7)", "227 1,2,3,4,5,6",
		"227 (1,2,3,4,5,6", "227 1,2,3,4,5,6)", "227 (a,b,c,d,e,f)", "227 (127,0,0,1,9999,9999)", "227 (127,0,0,1,-1,-1)", "227 (127,0,0,1,256,0)",
		"227 (127,0,0,1,0x4,0)", "227 (127,0,0,1,99999999999999999999,1)", "227 (127.0.0.1:8080)", "227 (\x00,\xff,%d,%s,%v,%n)",
		"227 (" + strings.Repeat("1,", 2000) + "1)", "227-(127,0,0,1,9,9)\r\n227 )(", "228 (127,0,0,1,9,9)", "200 (127,0,0,1,9,9)",
	} {
		rows = append(rows, fault{"PASV " + reply, ftpScript{replies: map[string]string{"EPSV": noEPSV, "PASV": reply}}.serve, nil,
			ftpInvalid})
	}
	for _, reply := range []string{
		"229", "229 ", "229 |", "229 ||", "229 |||", "229 ||||", "229 |||||", "229 |9|||", "229 (|||x|)", "229 (||||)", "229 (|||9", "229 9|||", "229 (|||0x9|)",
		"229 (|||99999999999999999999|)", "229 (|||\x00|)", "229 (!!!9!)", "229-(|||9|)\r\n229 |", "228 (|||9|)", "227 (|||9|)",
	} {
		rows = append(rows, fault{"EPSV " + reply, ftpScript{replies: map[string]string{"EPSV": reply, "PASV": "227 )("}}.serve, nil, ftpInvalid})
	}
	for _, reply := range []string{"229 (|||65536|)", "229 (|||99999|)", "229 (|||-1|)", "229 (|1|192.0.2.1|||99999|)"} {
		rows = append(rows, fault{"EPSV " + reply, ftpSays("EPSV", reply), nil, ftpInvalid})
	}
	return rows
}

// listenFTP plays steps as soon as a control connection opens.
func listenFTP(steps ...step) func(testing.TB) string {
	return func(t testing.TB) string {
		return listen(t, func(s *faultServer, conn net.Conn) {
			go func() { _ = hold(s, conn) }()
			for _, do := range steps {
				if do(s, conn) != nil {
					return
				}
			}
		}).url("ftp")
	}
}

// TestFTPDataTricks checks that a server cannot direct the data connection to another
// host or to a service on a system port: neither is contacted, nor is the server
// itself on the other host's port.
func TestFTPDataTricks(t *testing.T) {
	// In this order, because connections of other processes use ports of 127.0.0.1 only.
	self := listenAt(t, "127.0.0.1:0", nil, answer())
	port := self.Addr().(*net.TCPAddr).Port
	victim := listenAt(t, fmt.Sprintf("127.0.0.2:%d", port), nil, answer())
	for _, trusted := range []bool{false, true} {
		for name, replies := range map[string]map[string]string{
			"PASV to another host":          {"EPSV": noEPSV, "PASV": fmt.Sprintf("227 (127,0,0,2,%d,%d)", port/256, port%256)},
			"PASV to another host, no text": {"EPSV": noEPSV, "PASV": fmt.Sprintf("227 127.0.0.1 (127,0,0,2,%d,%d)", port/256, port%256)},
			"EPSV to a system port":         {"EPSV": "229 (|||22|)"},
			"PASV to a system port":         {"EPSV": noEPSV, "PASV": "227 (127,0,0,1,0,25)"},
		} {
			var dialled []string
			config := fetch.Config{UserAgent: userAgent,
				Network: fetch.Network{AllowPrivate: !trusted, Trusts: func(origin.Origin) bool { return trusted }}}
			config.Network.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				dialled = append(dialled, address)
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}
			client := newGuarded(t, config)
			url := ftpScript{replies: replies}.serve(t)
			if r := expectVerdict(t, client, url, ftpRefused); r.NextTry.IsZero() {
				t.Errorf("%s: no next try", name)
			}
			if want := []string{strings.TrimPrefix(url, "ftp://")}; !slices.Equal(dialled, want) {
				t.Errorf("%s: dialled %q, want only the control connection %q", name, dialled, want)
			}
		}
	}
	if n := victim.accepted.Load() + self.accepted.Load(); n != 0 {
		t.Errorf("%d connections to the victims", n)
	}
}

// TestFTPReplies gives each command each of many replies. No library may panic, and no reason
// contains words of Go, which fetch.Expect checks.
func TestFTPReplies(t *testing.T) {
	texts := []string{"", " ", "-", " )(", " )1,2,3,4,5,6(", " |||", " |", " (|||9|)", " \"", " \"\"", " %d%s%v", " \x00\xff\x1b[2J", " " + strings.Repeat("(,", 2000)}
	codes := []string{"", "000", "150", "200", "227", "229", "230", "331", "550"}
	var running sync.WaitGroup
	for command := range ftpReplies {
		running.Go(func() {
			for i := range len(codes) * len(texts) {
				reply := codes[i%len(codes)] + texts[i/len(codes)]
				replies := map[string]string{command: reply}
				if command == "PASV" {
					replies["EPSV"] = noEPSV
				}
				config := fetch.Config{Network: fetch.Network{AllowPrivate: true},
					Limits: fetch.Limits{FirstByteTimeout: patience}}
				r := fetch.Expect(t, newGuarded(t, config), ftpScript{replies: replies}.serve(t))
				if strings.Contains(r.Detail, "the client failed") {
					t.Errorf("%q to %s: the library panicked: %s", reply, command, r.Detail)
				}
			}
		})
	}
	running.Wait()
}
