// Package baseline recognises findings of earlier runs, also after their lines moved.
// A baseline is a file with all findings of a run; later runs report only others.
package baseline

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// Digest identifies a finding in a file by its code and the text of its line, so that it
// does not change if lines are added or removed elsewhere.
type Digest struct {
	Code lint.Code
	Line string // the digest of the line's text without blanks around it; of no text for a finding about the whole file
	Nth  int    // from 1, among the findings of the file with the same code and line
}

// String returns the digest as "0123456789abcdef:1", without the code.
func (d Digest) String() string { return fmt.Sprintf("%s:%d", d.Line, d.Nth) }

// Digests returns the digests of findings, in their order. No two are equal.
func Digests(body []byte, findings []lint.Finding) []Digest {
	if len(findings) == 0 {
		return nil
	}
	lines, seen, all := places.Of(body), make(map[Digest]int), make([]Digest, len(findings))
	for i := range findings {
		f := &findings[i]
		var text []byte
		if f.Start > 0 || f.End > 0 {
			text = bytes.Trim(lines.Text(f.Line), ascii.Space)
		}
		sum := sha256.Sum256(text)
		d := Digest{Code: f.Code, Line: hex.EncodeToString(sum[:8])}
		seen[d]++
		all[i] = Digest{d.Code, d.Line, seen[d]}
	}
	return all
}
