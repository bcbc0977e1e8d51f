package answer

import "strings"

// TypedURL returns the URL that a typed text means: a host, with what follows it, is on its site over https.
// Any other text is returned unchanged.
func TypedURL(text string) string {
	host, _, _ := strings.Cut(text, "/")
	name, port, hasPort := strings.Cut(host, ":")
	if name == "" || hasPort && !IsPort(port) && name[0] != '[' {
		return text
	}
	return "https://" + text
}

// IsPort reports whether a text is the number of a port.
func IsPort(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
