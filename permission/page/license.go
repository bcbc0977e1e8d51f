package page

import (
	"bytes"
	"regexp"

	"golang.org/x/net/html/charset"

	"github.com/kosterhq/robotstxt/permission"
)

var declaredEncoding = regexp.MustCompile(`^<\?xml\s[^>]*\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']`)

// ReadLicense reads an RSL document that is not UTF-8 too: in the encoding of its byte order mark, of the
// Content-Type field of the response, which can be empty, or of its declaration; UTF-16 also without a
// mark [XML 1.0 4.3.3, F.1, RFC 7303 3]. It has the same limits as [permission.ReadLicense].
func ReadLicense(text []byte, contentType string) *permission.License {
	label := encodingOf(text, contentType)
	switch declared := declaredEncoding.FindSubmatch(text); {
	case bytes.HasPrefix(text, []byte("<\x00")): // no document in another encoding begins like this
		label = utf16LE
	case bytes.HasPrefix(text, []byte("\x00<")):
		label = utf16BE
	case label == "" && declared != nil:
		label = encoding(declared[1])
	}
	if label.isUTF16() {
		text = label.decode(text)
	} else if label != "" {
		from, name := charset.Lookup(string(label))
		if from == nil {
			return &permission.License{Problem: "its encoding is unknown: " + string(label)}
		}
		// ASCII text cannot be UTF-16, whatever it declares.
		if decoded, err := from.NewDecoder().Bytes(text); name != "utf-8" && name != string(utf16LE) &&
			name != string(utf16BE) && err == nil {
			text = decoded
		}
	}
	return permission.ReadLicense(bytes.TrimPrefix(text, []byte("\ufeff")))
}
