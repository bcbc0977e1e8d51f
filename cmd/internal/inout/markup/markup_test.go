package markup_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
)

func TestWriter(t *testing.T) {
	const hostile = `</title><script>alert("1")</script>' onload='x & %s`
	var w markup.Writer
	w.Print("<a href=\"%s\" title='%[1]s'>%s</a>", hostile, "a<b")
	w.Print("<hr>")
	w.Add(markup.Text(hostile))
	const escaped = "&lt;/title&gt;&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;&#39; onload=&#39;x &amp; %s"
	want := `<a href="` + escaped + `" title='` + escaped + `'>a&lt;b</a><hr>` + escaped
	if got := w.String(); got != want || string(w.HTML()) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestForXML: any text can be read again from a document, with U+FFFD for what XML lacks.
func TestForXML(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc":                  "a\tb\nc",
		"\x00\x1b\x7f\ufffe\uffff": "\ufffd\ufffd\x7f\ufffd\ufffd",
		"\xff<&>":                  "\ufffd<&>",
		"\U0001f916é":              "\U0001f916é",
	} {
		var w markup.Writer
		w.Print("<x>%s</x>", markup.ForXML(text))
		var got struct {
			Text string `xml:",chardata"`
		}
		if err := xml.NewDecoder(strings.NewReader(w.String())).Decode(&got); err != nil || got.Text != want {
			t.Errorf("%q: %q (%v), want %q", text, got.Text, err, want)
		}
	}
}
