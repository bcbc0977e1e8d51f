package accesslog_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
)

func formatOf(t testing.TB, text string) *accesslog.Format {
	t.Helper()
	if text == "" {
		return nil
	}
	f, err := accesslog.ParseFormat(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const nginxOwn = `$remote_addr - $remote_user [$time_local] $http_host "$request" $status $body_bytes_sent $request_time "$http_user_agent" "$http_referer"`

// TestFormats has a line in each format that can be described or has a name, and what is read.
func TestFormats(t *testing.T) {
	const want = "2026-03-01T12:00:00Z 192.0.2.1 "
	for _, test := range []struct{ name, format, line, want string }{
		{"nginx", nginxOwn, `192.0.2.1 - - [01/Mar/2026:12:00:02 +0000] shop.example "GET /a?b HTTP/1.1" 200 5 2.000 "Bot \"x\"" "-"`, want + `://shop.example GET /a?b 200 5 Bot "x"`},
		{"nginx pieces", `time=$time_iso8601 ip=${remote_addr} host=$server_name m=$request_method uri="$request_uri" s=$status ua="$http_user_agent"`,
			`time=2026-03-01T12:00:00Z ip=192.0.2.1 host=shop m=GET uri="/a?b" s=404 ua="Bot"`, want + "://shop GET /a?b 404 0 Bot configured"},
		{"nginx uri", `$remote_addr [$time_local] $uri "$http_user_agent"`, `192.0.2.1 [01/Mar/2026:12:00:00 +0000] /a "Bot"`, want + "://  /a 0 0 Bot decoded"},
		{"Apache", `%V %>s "%{User-Agent}i" "%r" %a %t %b`, `shop.example 200 "Bot" "GET /a HTTP/1.1" 192.0.2.1 [01/Mar/2026:12:00:00 +0000] -`, want + "://shop.example GET /a 200 0 Bot"},
		{"Apache pieces", `%h %{Host}i %m %U "%q" %>s %t %D "%{User-agent}i"`, `192.0.2.1 shop.example GET /a "?b=c" 200 [01/Mar/2026:12:00:00 +0000] 99 "Bot"`, want + "://shop.example GET /a?b=c 200 0 Bot"},
		{"Apache stem", `%h %m %U %q %t "%{User-agent}i"`, `192.0.2.1 GET /a+b ?b [01/Mar/2026:12:00:00 +0000] "Bot"`, want + ":// GET /a+b?b 0 0 Bot decoded"},
		{"Apache's last stem", `%h %m %>U%q %t "%{User-agent}i"`, `192.0.2.1 GET /a?b [01/Mar/2026:12:00:00 +0000] "Bot"`, want + ":// GET /a?b 0 0 Bot decoded"},
		{"alb", "alb", `https 2026-03-01T12:00:00.1Z app/x/1 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 -1 200 - 34 5 "GET https://shop.example:443/a HTTP/1.1" "Bot" - - arn:x "Root=1" "d" "arn" 0 2026-03-01T12:00:00Z "forward" "-" "-"`,
			want + ":// GET https://shop.example:443/a 200 5 Bot"},
		{"alb, recognised", "", `http 2026-03-01T12:00:00.1Z app/x/1 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.1 200 200 34 5 "GET http://shop.example:80/a HTTP/1.1" "Bot" - - arn:x "Root=1" "d" "arn" 0 2026-03-01T12:00:00Z "forward" "-" "-"`,
			want + ":// GET http://shop.example:80/a 200 5 Bot"},
		{"npm, recognised", "", `[01/Mar/2026:12:00:00 +0000] - 200 200 - GET https shop.example "/a" [Client 192.0.2.1] [Length 5] [Gzip -] [Sent-to web] "Bot" "-"`, want + "https://shop.example GET /a 200 5 Bot"},
		{"haproxy", "haproxy", `Mar  1 12:00:00 lb haproxy[1]: 192.0.2.1:55 [01/Mar/2026:12:00:00.000] f~ w/s 0/0/0/1/1 200 5 - - ---- 5/6/9/1/0 0/0 {shop.example|Bot} "GET /a HTTP/1.1"`, want + "://shop.example GET /a 200 5 Bot"},
		{"haproxy, two readings", "haproxy", `192.0.2.1:55 [01/Mar/2026:12:00:00.000] f~ w/s 0/0/0/1/1 200 5 - - ---- 5/6/9/1/0 0/0 {shop.example|x|Bot} "GET /a HTTP/1.1"`, "unreadable"},
		{"envoy", "envoy", `[2026-03-01T12:00:00.000Z] "GET /a HTTP/2" 200 - 1 5 22 10 "192.0.2.1" "Bot" "cc" "shop.example" "tcp://10.0.2.1:80"`, want + "://shop.example GET /a 200 5 Bot"},
		{"gcp", "gcp", `{"httpRequest":{"requestMethod":"GET","requestUrl":"https://shop.example/a","status":200,"responseSize":"5","userAgent":"Bot","remoteIp":"192.0.2.1"},"timestamp":"2026-03-01T12:00:00Z"}`,
			want + ":// GET https://shop.example/a 200 5 Bot"},
		{"azure", "azure-front-door", `{"time":"2026-03-01T12:00:00Z","properties":{"clientIp":"192.0.2.1","httpMethod":"GET","httpStatusCode":"200","requestUri":"https://shop.example:443/a","userAgent":"Bot"}}`,
			want + ":// GET https://shop.example:443/a 200 0 Bot"},
		{"cloudflare", "cloudflare", `{"ClientIP":"192.0.2.1","ClientRequestHost":"shop.example","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","ClientRequestUserAgent":"Bot","EdgeStartTimestamp":1772366400000000000,"EdgeResponseStatus":200,"EdgeResponseBytes":5}`,
			want + "://shop.example GET /a?b 200 5 Bot"},
		{"akamai", "akamai", `{"reqTimeSec":"1772366400.000","cliIP":"192.0.2.1","statusCode":"200","reqMethod":"GET","reqHost":"shop.example","reqPath":"a","queryStr":"b=c","UA":"Bot%20x","bytes":"5"}`,
			want + "://shop.example GET /a?b=c 200 5 Bot x"},
		{"cloudfront", "cloudfront", `{"date":"2026-03-01","time":"12:00:01","c-ip":"192.0.2.1","cs-method":"GET","cs-uri-stem":"/a","sc-status":"200","sc-bytes":"5","cs(User-Agent)":"Bot%2520x","cs-uri-query":"-","x-host-header":"shop.example","cs-protocol":"https","time-taken":"1.0"}`,
			want + "https://shop.example GET /a 200 5 Bot x"},
		{"nginx request and uri", `$remote_addr [$time_local] $uri "$request" "$args" $upstream_response_time "$http_user_agent"`,
			`192.0.2.1 [01/Mar/2026:12:00:00 +0000] /index.php "GET /a%2Fb?c=d HTTP/1.1" "c=d" 0.004, 0.012 : 0.1 "Bot"`, want + ":// GET /a%2Fb?c=d 0 0 Bot"},
		{"Apache stem and query", `%h "%m %U%q %H" %t %r "%{User-agent}i"`, `192.0.2.1 "GET /a%2Fb?b HTTP/1.1" [01/Mar/2026:12:00:00 +0000] GET /a?b HTTP/1.1 "Bot"`, want + ":// GET /a?b 0 0 Bot"},
		{"Apache stem with query", `%h "%m %U%q %H" %t "%{User-agent}i"`, `192.0.2.1 "GET /a/b?b=%2F HTTP/1.1" [01/Mar/2026:12:00:00 +0000] "Bot"`, want + ":// GET /a/b?b=%2F 0 0 Bot"},
		{"Apache stem with query, decoded", `%h "%m %U%q %H" %t "%{User-agent}i"`, `192.0.2.1 "GET /a+b?b HTTP/1.1" [01/Mar/2026:12:00:00 +0000] "Bot"`, want + ":// GET /a+b?b 0 0 Bot decoded"},
	} {
		p := &accesslog.Parser{Name: "own.log", Need: everything, Format: formatOf(t, test.format), Zone: time.UTC}
		if got := parsed(p, test.line); len(got) != 1 || got[0] != test.want {
			t.Errorf("%s:\n%q, want\n%q", test.name, got, test.want)
		}
	}
	for text, want := range map[string]string{
		"": "has no $request", "$remote_addr$request": "no text between", "%h %t": "has no $request", "combined": "has no $request", `$remote_addr "$request"`: "has no $http_user_agent",
	} {
		if _, err := accesslog.ParseFormat(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseFormat(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

// TestPrefixes: what a log service writes before each line is removed.
func TestPrefixes(t *testing.T) {
	const line = `192.0.2.1 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot"`
	const want = "2026-03-01T12:00:00Z 192.0.2.1 :// GET /a 200 5 Bot"
	for _, prefix := range []string{
		"Mar  1 12:00:00 web1 nginx: ", "<190>Mar 11 12:00:00 web1 nginx[3]: ", "<190>1 2026-03-01T12:00:00Z web1 nginx - - - ", `<1>1 2026-03-01T12:00:00Z web1 nginx 1 - [x@1 a="b"] `,
		"web-1  | ", "2026-03-01T12:00:00.1Z stdout F ",
	} {
		p := &accesslog.Parser{Need: everything}
		if got := parsed(p, prefix+line+"\n"+prefix+line); !slices.Equal(got, []string{want, want}) || p.End() != nil {
			t.Errorf("%s: %q, %v", prefix, got, p.End())
		}
	}
	for name, shipped := range map[string]string{
		"Docker": `{"log":%q,"stream":"stdout","time":"2026-03-01T12:00:00Z"}`, "Vector": `{"file":"/var/log/nginx/access.log","host":"web1","message":%q,"source_type":"file","timestamp":"2026-03-01T12:00:03Z"}`,
		"Filebeat": `{"@timestamp":"2026-03-01T12:00:03.000Z","@metadata":{"beat":"filebeat"},"log":{"offset":0,"file":{"path":"/var/log/nginx/access.log"}},"message":%q}`, "journald": `{"__REALTIME_TIMESTAMP":"1772366400000000","_COMM":"nginx","MESSAGE":%q}`,
	} {
		p := &accesslog.Parser{Need: everything}
		if got := parsed(p, fmt.Sprintf(shipped, line+"\n")); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	p := &accesslog.Parser{Need: everything}
	if got := parsed(p, `Mar  1 12:00:00 web caddy[8]: {"ts":1772366400,"request":{"client_ip":"192.0.2.1","method":"GET","uri":"/a","headers":{"User-Agent":["Bot"]}},"size":5,"status":200}`); len(got) != 1 || got[0] != want {
		t.Errorf("JSON after syslog: %q", got)
	}
}

// TestTrusted: only a trusted proxy's word about its client counts, and only its last one.
func TestTrusted(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for line, want := range map[string]string{
		`10.0.0.3 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot" "192.0.2.1"`:                     "192.0.2.1",
		`10.0.0.3 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot" "11.1.0.7, 192.0.2.1, 10.0.0.9"`: "192.0.2.1",
		`192.0.2.1 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot" "11.1.0.7"`:                     "192.0.2.1",
		`10.0.0.3 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot" "-"`:                             "invalid",
		`10.0.0.3 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot"`:                                 "invalid",
		`10.0.0.3 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot" "11.1.0.7, unknown"`:             "invalid",
	} {
		p := &accesslog.Parser{Need: everything, Trusted: trusted}
		if got := parsed(p, line); len(got) != 1 || !strings.HasPrefix(got[0], "2026-03-01T12:00:00Z "+want) {
			t.Errorf("%s: %q, want %s", line, got, want)
		}
	}
}

// TestMapQuery: a request line gives method and target, and a query and a scheme can be in fields of their own.
func TestMapQuery(t *testing.T) {
	for text, log := range map[string][2]string{
		"time=t,addr=a,agent=u,target=r,method=r,status=s":                  {`{"t":1772366400,"a":"192.0.2.1","u":"Bot","r":"GET /a?b HTTP/1.1","s":200}`, ":// GET /a?b 200 0 Bot"},
		"time=t,addr=a,agent=u,target=p,query=q,scheme=c,method=m,status=s": {`{"t":"1772366400.000","a":"192.0.2.1","u":"Bot%2F1%20x","p":"/a","q":"?b","c":"HTTPS","m":"GET","s":"200"}`, "https:// GET /a?b 200 0 Bot/1 x"},
	} {
		m, err := accesslog.ParseMap(text)
		if err != nil {
			t.Fatal(err)
		}
		p := &accesslog.Parser{Need: everything, Map: m}
		if got := parsed(p, log[0]); len(got) != 1 || got[0] != "2026-03-01T12:00:00Z 192.0.2.1 "+log[1] || !p.ShowsQueries() {
			t.Errorf("%s: %q, want %s", text, got, log[1])
		}
	}
}

// TestDocker: lines in Docker's JSON are read in the form of the server, with a name or without, and what a
// container prints before its first request is no line of a log.
func TestDocker(t *testing.T) {
	alb := `http 2026-03-01T12:00:00.1Z app/x/1 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.1 200 200 34 5 "GET http://shop.example:80/a HTTP/1.1" "Bot" - - arn:x "Root=1" "d" "arn" 0 2026-03-01T12:00:00Z "forward" "-" "-"`
	envoy := `[2026-03-01T12:00:00.000Z] "GET /a HTTP/2" 200 - 1 5 22 10 "192.0.2.1" "Bot" "cc" "shop.example" "tcp://10.0.2.1:80"`
	combined := `192.0.2.1 - - [01/Mar/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Bot"`
	caddy := `{"ts":1772366400,"request":{"remote_ip":"192.0.2.1","method":"GET","host":"shop.example","uri":"/a","headers":{"User-Agent":["Bot"]}},"status":200,"size":5}`
	mapped := `{"t":1772366400,"a":"192.0.2.1","u":"Bot","p":"/a","m":"GET","s":200}`
	for name, test := range map[string]struct{ line, format, prefix string }{
		"ALB": {alb, "", ""}, "Envoy": {envoy, "", ""}, "combined": {combined, "", ""}, "Caddy": {caddy, "", ""}, "after syslog": {envoy, "", "<190>1 2026-03-01T12:00:00Z web1 docker - - - "},
		"a format": {combined, `$remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`, ""}, "a map": {mapped, "map", ""},
	} {
		p := &accesslog.Parser{Need: everything}
		if test.format == "map" {
			p.Map = accesslog.Map{"time": "t", "addr": "a", "agent": "u", "target": "p", "host": "h", "method": "m", "status": "s"}
		} else {
			p.Format = formatOf(t, test.format)
		}
		line := func(text string) string {
			return test.prefix + fmt.Sprintf(`{"log":%q,"stream":"stdout","time":"2026-03-01T12:00:00Z"}`, text+"\n")
		}
		got := parsed(p, strings.Join([]string{line("starting"), line(test.line), line("a message"), line(test.line), line(test.line)}, "\n"))
		read := 0
		for _, request := range got {
			if strings.HasPrefix(request, "2026-03-01T12:00:00Z 192.0.2.1 ") && strings.Contains(request, " GET ") {
				read++
			}
		}
		if read != 3 || len(got) != 5 {
			t.Errorf("%s: %d of 3 are read: %q", name, read, got)
		}
	}
}

// TestMessages: what Caddy writes about itself is no request, and a log of nothing else is not an access log.
func TestMessages(t *testing.T) {
	const message = `{"level":"info","ts":1772366400.1,"logger":"http.log","msg":"server running","protocols":["h1"]}`
	caddy := `{"level":"info","ts":1772366400,"msg":"handled request","request":{"remote_ip":"192.0.2.1","method":"GET","host":"shop.example","uri":"/a","headers":{"User-Agent":["Bot"]}},"status":200,"size":5}`
	p := &accesslog.Parser{Need: everything}
	if !p.IsEmpty() {
		t.Error("before the first line, the log is not empty")
	}
	got := parsed(p, strings.Join([]string{message, caddy, message, caddy}, "\n"))
	if len(got) != 2 || !strings.Contains(got[1], "GET /a 200 5 Bot") {
		t.Errorf("%q", got)
	}
	p = &accesslog.Parser{Need: everything}
	got = parsed(p, strings.Join([]string{"caddy  | " + message, "caddy  | " + caddy, "caddy  | " + message}, "\n"))
	if len(got) != 1 || !strings.Contains(got[0], "GET /a 200 5 Bot") {
		t.Errorf("after the name of a container: %q", got)
	}
	p = &accesslog.Parser{Need: everything, Name: "a.log"}
	if got := parsed(p, message+"\n"+message); len(got) != 0 || p.IsEmpty() || p.End() == nil {
		t.Errorf("%q, and the log is empty: %t", got, p.IsEmpty())
	}
}

// TestZonelessFormat: a recognised format whose times have no zone asks for one.
func TestZonelessFormat(t *testing.T) {
	const line = `192.0.2.1:55 [01/Mar/2026:12:00:00.000] f~ w/s 0/0/0/1/1 200 5 - - ---- 5/6/9/1/0 0/0 {shop.example|Bot} "GET /a HTTP/1.1"`
	var e accesslog.Entry
	p := &accesslog.Parser{Name: "a.log", Need: everything}
	if _, err := p.Parse([]byte(line), &e); err == nil || !strings.Contains(err.Error(), "no zone") {
		t.Errorf("the error is %v", err)
	}
	p = &accesslog.Parser{Name: "a.log", Need: everything, Zone: time.UTC}
	if ok, err := p.Parse([]byte(line), &e); !ok || err != nil {
		t.Errorf("with a zone: %v", err)
	}
}

// TestLines: the objects of a list in JSON are lines, even if they are in one line or over several.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		`[{"a":1},{"a":[2, "]"]}]`: "{\"a\":1}\n{\"a\":[2,\"]\"]}\n", "[\n  {\n \"a\": 1\n }\n]\n": "{\"a\":1}\n", "[01/Mar/2026] x\n": "[01/Mar/2026] x\n", "": "", "[": "[", `{"a":1}`: `{"a":1}`,
	} {
		got, err := io.ReadAll(accesslog.Lines(strings.NewReader(text)))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	// Of a pipe each read gets little, whatever the buffer has room for.
	long := `{"a":"` + strings.Repeat("a", 200_000) + `"}`
	got, err := io.ReadAll(accesslog.Lines(iotest.OneByteReader(strings.NewReader("[" + long + "]"))))
	if string(got) != long+"\n" || err != nil {
		t.Errorf("a long element read byte by byte has %d bytes, %v", len(got), err)
	}
	if _, err := io.ReadAll(accesslog.Lines(strings.NewReader(`[{"a":1},{"a"`))); err == nil {
		t.Error("a cut list has no error")
	}
}

// TestSample: a sample of a line has no address and no value of a query.
func TestSample(t *testing.T) {
	got := accesslog.Sample([]byte("192.0.2.1|10/Nov|GET /tea?token=secret&b=other|2001:db8::1|[2001:db8::2]:80|\x1b[2J192.0.2.1:80"))
	for _, part := range []string{"192.0", "secret", "other", "db8", "\x1b"} {
		if strings.Contains(got, part) {
			t.Errorf("the sample %q has %q", got, part)
		}
	}
	if !strings.HasPrefix(got, "ADDRESS|10/Nov|GET /tea?token=…&b=…") {
		t.Errorf("the sample is %q", got)
	}
}

// TestForgedFields: text that a client sends changes no other field of its line, in any form: the line is read
// with the address, the time and the status that the server wrote, or it is not read.
func TestForgedFields(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	const stamp = "01/Mar/2026:12:00:00 +0000"
	pieces := []string{"11.1.0.7", " ", `"`, `\"`, `\`, "[", "]", "|", "}", "{", "- -", "[" + stamp + "]", "GET /x HTTP/1.1", " 200 5 ", "GPTBot", "shop.example", ",", `\x22`, "Client", "?", "<1>1 ", ": "}
	hostile := func() string {
		text := ""
		for range random.IntN(6) {
			text += pieces[random.IntN(len(pieces))]
		}
		return text
	}
	escaped := func(text string) string { return strings.NewReplacer(`"`, `\x22`, `\`, `\x5C`).Replace(text) }
	lines := map[string]func(host, target, agent, referer string) string{
		"": func(h, p, u, r string) string {
			return fmt.Sprintf(`192.0.2.1 - - [%s] "GET /%s HTTP/1.1" 404 9 "%s" "%s"`, stamp, escaped(p), escaped(r), escaped(u))
		},
		nginxOwn: func(h, p, u, r string) string {
			return fmt.Sprintf(`192.0.2.1 - - [%s] %s "GET /%s HTTP/1.1" 404 9 0.000 "%s" "%s"`, stamp, escaped(h), escaped(p), escaped(u), escaped(r))
		},
		"haproxy": func(h, p, u, r string) string {
			return fmt.Sprintf(`192.0.2.1:5 [%s] f b 0 404 9 - - - 0 0 {%s|%s} "GET /%s HTTP/1.1"`, stamp, h, u, escaped(p))
		},
		"nginx-proxy-manager": func(h, p, u, r string) string {
			return fmt.Sprintf(`[%s] - 404 404 - GET https shop.example "/%s" [Client 192.0.2.1] [Length 9] [Gzip -] [Sent-to web] "%s" "%s"`, stamp, escaped(p), escaped(u), escaped(r))
		},
	}
	read := 0
	for format, line := range lines {
		for range 4000 {
			p := &accesslog.Parser{Need: everything, Format: formatOf(t, format), Zone: time.UTC}
			var e accesslog.Entry
			text := line(hostile(), hostile(), hostile(), hostile())
			ok, err := p.Parse([]byte(text), &e)
			if !ok || err != nil {
				continue
			}
			read++
			addr, _ := accesslog.Address(e.Addr)
			if addr.String() != "192.0.2.1" || e.Status != 404 || e.Bytes != 9 || e.Begin.Unix() != 1772366400 {
				t.Errorf("%s: %q is read as %s, %d, %d, %s", format, text, e.Addr, e.Status, e.Bytes, e.Begin)
			}
		}
	}
	if read < 6000 {
		t.Errorf("only %d lines are read", read)
	}
}
