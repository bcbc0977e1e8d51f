package accesslog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
)

const everything = accesslog.Time | accesslog.Addr | accesslog.Agent | accesslog.Method | accesslog.Status

// parsed returns what the lines of a log are read as, one text for each.
func parsed(p *accesslog.Parser, log string) (got []string) {
	for line := range strings.Lines(log) {
		var e accesslog.Entry
		ok, err := p.Parse([]byte(line), &e)
		switch {
		case errors.Is(err, accesslog.ErrUnreadable):
			got = append(got, "unreadable")
		case err != nil:
			return append(got, err.Error())
		case ok:
			addr, _ := accesslog.Address(e.Addr)
			text := fmt.Sprintf("%s %s %s%s %s %s %d %d %s", e.Begin.Format(time.RFC3339Nano), addr, e.Scheme, "://"+string(e.Host), e.Method, e.Target, e.Status, e.Bytes, e.Agent)
			if e.Decoded {
				text += " decoded"
			}
			if e.Configured {
				text += " configured"
			}
			if !e.End.Equal(e.Begin) {
				text += " or " + e.End.Format(time.RFC3339)
			}
			got = append(got, text)
		}
	}
	return got
}

func TestForms(t *testing.T) {
	for _, test := range []struct {
		name, log string
		form      accesslog.Form
		want      []string
	}{
		{"combined", `192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a?b HTTP/1.1" 200 512 "-" "Bot\"\\\x41/1" "GPTBot/1.0"
2001:db8::1 - John Smith [01/Mar/2026:13:00:00 +0100] "HEAD /a HTTP/1.1" 304 - "https://a.example/" ""
11.20.0.8, 192.0.2.9 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "\x16\x03\x01" 400 0 "-" "-"
192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTB
shop.example:443 192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
{"request":{"uri":"/"}}
192.0.2.1 - - [yesterday] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
crawl-1.bot.example - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"`, accesslog.Combined, []string{
			`2026-03-01T12:00:00Z 192.0.2.1 :// GET /a?b 200 512 Bot"\A/1`,
			"2026-03-01T12:00:00Z 2001:db8::1 :// HEAD /a 304 0 ",
			"2026-03-01T12:00:00Z invalid IP :// GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z 192.0.2.1 :// \x16\x03\x01  400 0 - decoded",
			"unreadable", "2026-03-01T12:00:00Z 192.0.2.1 https://shop.example:443 GET /a 200 512 GPTBot configured", "unreadable", "unreadable",
			"2026-03-01T12:00:00Z invalid IP :// GET /a 200 512 GPTBot",
		}},
		{"virtual hosts", `shop.example:443 192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
shop.example:80 11.20.0.8, 192.0.2.9 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
shop.example ::ffff:192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"`, accesslog.Virtual, []string{
			"2026-03-01T12:00:00Z 192.0.2.1 https://shop.example:443 GET /a 200 512 GPTBot configured",
			"2026-03-01T12:00:00Z invalid IP http://shop.example:80 GET /a 200 512 GPTBot configured",
			"2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a 200 512 GPTBot configured",
		}},
		{"hosts in other fields", `192.0.2.1 shop.example - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 shop.example - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 - shop.example [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 11.20.0.7 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
11.20.0.7:443 192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 - 11.20.0.7 [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"
192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot"`, accesslog.Virtual, []string{
			"2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z invalid IP :// GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z invalid IP :// GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z 192.0.2.1 https://11.20.0.7 GET /a 200 512 GPTBot",
			"2026-03-01T12:00:00Z 192.0.2.1 :// GET /a 200 512 GPTBot",
		}},
		{"Caddy", `{"ts":1772366400.5,"request":{"remote_ip":"192.0.2.2","client_ip":"192.0.2.1","method":"GET","host":"shop.example","uri":"/a","tls":{"v":1},"headers":{"User-Agent":["Bot\",\"client_ip\":\"11.20.0.7\",\"x\":\"","b"]}},"duration":0.5,"size":7,"status":200}
 {"status": 404, "request" : {"remote_addr":"192.0.2.1:4711", "headers" :{"Accept":["*/*"], "User-Agent" : [ "B" ]}, "uri":"/b", "method":"GET"} , "ts":1772366400, "x":[1,{"uri":"/c"},[]]}
{"level":"info","ts":1772366400,"msg":"serving"}
{"ts":1772366400.5,"request":{"uri":"/a"`, accesslog.Caddy, []string{
			`2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a 200 7 Bot","client_ip":"11.20.0.7","x":"`,
			"2026-03-01T12:00:00Z 192.0.2.1 :// GET /b 404 0 B",
			"unreadable",
		}},
		{"CloudFront", "#Version: 1.0\n#Fields: date time sc-bytes c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header cs-protocol time-taken\n" +
			"2026-03-01\t12:00:01\t9\t192.0.2.1\tGET\t/a%20b\t200\tMozilla/5.0%2520(Bot)%22\tc=%2520\tshop.example\thttps\t1.000\n" +
			"2026-03-01\t12:00:01\n" +
			"#Fields: time date c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query time x-host-header cs-protocol\n" +
			"12:00:01\t2026-03-01\t192.0.2.1\tGET\t/\t-\t-\t-\t13:00:00\t-\thttp\n", accesslog.CloudFront, []string{
			`2026-03-01T12:00:00Z 192.0.2.1 https://shop.example GET /a%20b?c=%2520 200 9 Mozilla/5.0 (Bot)"`,
			"unreadable",
			"2026-03-01T12:00:01Z 192.0.2.1 http:// GET / 0 0 ",
		}},
		{"IIS", `#Software: Microsoft Internet Information Services 10.0
#Fields: date time cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs-host sc-status time-taken
2026-03-01 12:00:01 GET /a b=%41 443 192.0.2.1%eth0 Mozilla/5.0+(Bot) shop.example 200 1000
2026-03-01 12:00:01 GET /a+b - 80 192.0.2.1:99 Bot shop.example 200 1000
2026-03-01 12:00:01 GET /ä - 80 11.20.0.8,+192.0.2.1 Bot shop.example:8080 200 1000`, accesslog.IIS, []string{
			"2026-03-01T12:00:00Z invalid IP https://shop.example:443 GET /a?b=%41 200 0 Mozilla/5.0 (Bot)",
			"2026-03-01T12:00:00Z 192.0.2.1 http://shop.example:80 GET /a+b 200 0 Bot decoded",
			"2026-03-01T12:00:00Z invalid IP http://shop.example:8080 GET /ä 200 0 Bot decoded",
		}},
	} {
		p := &accesslog.Parser{Name: "access.log", Need: everything}
		got := parsed(p, test.log)
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") || p.Form() != test.form || p.End() != nil {
			t.Errorf("%s is %q, %v:\n%s\nwant %q:\n%s", test.name, p.Form(), p.End(), strings.Join(got, "\n"), test.form, strings.Join(test.want, "\n"))
		}
	}
}

func TestMap(t *testing.T) {
	m, err := accesslog.ParseMap("time=at,addr=a.b[1],agent=http.agent,target=t,method=m,status=s,host=h")
	if err != nil {
		t.Fatal(err)
	}
	p := &accesslog.Parser{Name: "own.log", Need: everything, Map: m}
	got := parsed(p, `{"at":"2026-03-01T12:00:00Z","a":{"b":["x","192.0.2.1"]},"http.agent":"Bot","t":"/a","m":"GET","s":"200","h":"shop.example"}
{"at":1772366400123,"http":{"agent":"B\u006ft"},"t":"/a","m":"GET","s":200,"a":null}
{"at":null,"t":"/a"}`)
	want := []string{
		"2026-03-01T12:00:00Z 192.0.2.1 ://shop.example GET /a 200 0 Bot",
		"2026-03-01T12:00:00.123Z invalid IP :// GET /a 200 0 Bot",
		"unreadable",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for text, want := range map[string]string{
		"time": "not a field", "uri=a": "not a field", "time=": "not a field", "time=a,time=b": "two paths", "": "not a field",
	} {
		if _, err := accesslog.ParseMap(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseMap(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

// TestMissing checks that a log without a part of requests that the question needs is an error
// which names it.
func TestMissing(t *testing.T) {
	for log, want := range map[string]string{
		"#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status":           "no field cs(User-Agent)",
		"#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent) sc-status":         "no field cs-uri-query",
		"#Fields: date c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) sc-status": "no field time",
		"#Fields: date time cs-method cs-uri-stem cs-uri-query cs(User-Agent) sc-status": "no field c-ip",
		`{"a":1}`: "JSON, but not from Caddy",
		`192.0.2.1 - - [01/Mar/2026:13:00:00] "GET /a HTTP/1.1" 200 5 "-" "B"`: "have no zone",
	} {
		p := &accesslog.Parser{Name: "access.log", Need: everything}
		if got := parsed(p, log); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%s: %q, want an error with %q", log, got, want)
		}
	}
	p := &accesslog.Parser{Need: everything, Map: accesslog.Map{"target": "t"}}
	if got := parsed(p, `{"t":"/"}`); len(got) != 1 || !strings.Contains(got[0], "no path for the field time") {
		t.Errorf("a map without time: %q", got)
	}
	p = &accesslog.Parser{Name: "own.log", Map: accesslog.Map{"time": "ts", "target": "t", "host": "h.x"}}
	parsed(p, `{"ts":1,"t":"/","h":{"y":1}}`+"\n"+`{"ts":2}`)
	if err := p.End(); err == nil || !strings.Contains(err.Error(), "no line of own.log has the field h.x") {
		t.Errorf("a path that no line has: %v", err)
	}
	for log, want := range map[string]string{
		"hello\nworld": "is not an access log", "": "is not an access log",
		`192.0.2.1 - - [01/Mar/2026:13:00:00 +0000] "GET /a HTTP/1.1" 200 5`: "no User-Agent",
	} {
		p := &accesslog.Parser{Name: "access.log", Need: everything}
		parsed(p, log)
		if err := p.End(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the end of %q: %v, want an error with %q", log, err, want)
		}
	}
}

func TestZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no database of zones")
	}
	p := &accesslog.Parser{Need: everything, Zone: berlin}
	got := parsed(p, `192.0.2.1 - - [25/Oct/2026:02:30:00] "GET / HTTP/1.1" 200 5 "-" "B"`)
	if want := "2026-10-25T00:30:00Z 192.0.2.1 :// GET / 200 5 B or 2026-10-25T01:30:00Z"; len(got) != 1 || got[0] != want {
		t.Errorf("an hour that comes twice: %q, want %q", got, want)
	}
}

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "192.0.2.1:80": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "[2001:db8::1]:80": "2001:db8::1", "[2001:db8::1]": "2001:db8::1",
		"fe80::1%eth0": "fe80::1", "[::ffff:192.0.2.1]:80": "192.0.2.1",
		"": "", "-": "", "192.0.2.1,192.0.2.2": "", "192.0.2.1 192.0.2.2": "", "host.example": "", "192.0.2.1:": "", strings.Repeat("1", 1000): "",
	} {
		addr, ok := accesslog.Address([]byte(text))
		if ok != (want != "") || ok && addr.String() != want {
			t.Errorf("Address(%.40q) = %v, %v, want %q", text, addr, ok, want)
		}
	}
}

// FuzzParse checks that no line makes the parser fail in another way than it says, whatever
// the lines before it were.
func FuzzParse(f *testing.F) {
	f.Add([]byte("#Fields: date time c-ip cs-uri-stem cs-uri-query\n2026-03-01 12:00:00 192.0.2.1 /a -"))
	f.Add([]byte(`192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a?b HTTP/1.1" 200 512 "-" "Bot\"\\\x41/1"`))
	f.Add([]byte(`{"ts":1772366400.5,"request":{"client_ip":"192.0.2.1","uri":"/a","headers":{"User-Agent":["B"]}},"x":[{},[1]]}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		for _, m := range []accesslog.Map{nil, {"target": "request.uri", "agent": "x[1][0]", "addr": "a"}} {
			p := &accesslog.Parser{Map: m, Zone: time.UTC, Need: accesslog.Time}
			for line := range strings.Lines(string(log)) {
				var e accesslog.Entry
				ok, err := p.Parse([]byte(line), &e)
				if ok && (err != nil || e.Begin.IsZero() && e.Begin.Year() != 1 ||
					len(e.Target) > 0 && e.Target[0] != '/' && !accesslog.HasScheme(e.Target)) {
					t.Errorf("%q is read as %+v, %v", line, e, err)
				}
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, log := range map[string]string{
		"combined": `192.0.2.1 - - [01/Mar/2026:13:00:00 +0100] "GET /a?b HTTP/1.1" 200 512 "-" "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/2.1; +https://bots.example/gptbot)"`,
		"caddy":    `{"level":"info","ts":1772366400.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"shop.example","uri":"/a","headers":{"User-Agent":["Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/2.1; +https://bots.example/gptbot)"]}},"duration":0.5,"size":7,"status":200}`,
	} {
		b.Run(name, func(b *testing.B) {
			p := &accesslog.Parser{Need: everything}
			b.ReportAllocs()
			line := []byte(log)
			for i := 0; b.Loop(); i++ {
				if name == "combined" {
					line[34] = byte('0' + i%10) // another second
				}
				var e accesslog.Entry
				if ok, err := p.Parse(line, &e); !ok {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestUnescaped: no server writes CR and NUL in a line, and a line with two times and requests has quotes of a client.
func TestUnescaped(t *testing.T) {
	const line = `9.9.9.9 - - [28/Oct/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl/8"`
	const second = ` [28/Oct/2026:08:00:00 +0000] "GET /ok HTTP/1.1" 401 5 "-" "curl/8"`
	for text, isRead := range map[string]bool{
		line: true, line + "\r\n": true, line + "\r" + line: false, line + "\r": true, line + "\x00\x00": false,
		line + second: false, line + ` [x] "` + second: false, line + ` "` + second: false,
		// Servers write these.
		line + ` 0.1 [up] [10.0.0.1:80, 10.0.0.2:80] "GET" 200`:          true,
		strings.Replace(line, "curl/8", `a [10:10:10] `, 1) + ` "-" 200`: true,
		strings.Replace(line, "curl/8", `a [10:10:10] \"x\" 200`, 1):     true,
	} {
		var e accesslog.Entry
		p := accesslog.Parser{Name: "a.log", Need: accesslog.Time}
		if ok, err := p.Parse([]byte(line), &e); !ok || err != nil {
			t.Fatal(err)
		}
		if ok, _ := p.Parse([]byte(text), &e); ok != isRead {
			t.Errorf("%q is read: %t", text, ok)
		}
	}
	for text, want := range map[string]string{
		line + "\r" + line: "a.log has lines that end in CR alone; its first line is: ",
		"access.log" + strings.Repeat("\x00", 247) + "ustar\x0000" + line: "a.log is a tar archive",
	} {
		var e accesslog.Entry
		p := accesslog.Parser{Name: "a.log", Need: accesslog.Time}
		_, err := p.Parse([]byte(text), &e)
		if errors.Is(err, accesslog.ErrUnreadable) {
			err = p.End()
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}
