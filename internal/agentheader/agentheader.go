// Package agentheader tells whole User-Agent headers from product tokens. Package crawlers reads
// them (RFC 9110 10.1.5).
package agentheader

import "strings"

// IsHeader reports whether value is a whole User-Agent header rather than a product, with or
// without a version, or a list of products. A header contains a comment or the address of a
// page. Without these, it contains a version, a space or semicolon, no comma, and no semicolon
// before a space.
func IsHeader(value string) bool {
	value = strings.Trim(value, spaces)
	if strings.ContainsRune(value, '(') || strings.Contains(value, "://") {
		return true
	}
	return strings.ContainsRune(value, '/') && strings.ContainsAny(value, spaces+";") &&
		!strings.Contains(value, ",") && !strings.Contains(value, "; ") && !strings.Contains(value, ";\t")
}

const spaces = " \t"
