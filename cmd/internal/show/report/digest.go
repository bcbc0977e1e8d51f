package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// lineDigest identifies a finding in a file by its code and the text of its line, so that it
// does not change if lines are added or removed elsewhere.
type lineDigest struct {
	Code lint.Code
	// the digest of the line's text without the spaces around it; of an empty text for a finding about the whole file
	Line string
	Nth  int // from 1, among the findings of the file with the same code and line
}

// String returns the digest as "0123456789abcdef:1", without the code.
func (d lineDigest) String() string { return fmt.Sprintf("%s:%d", d.Line, d.Nth) }

// lineDigests returns the digests of findings, in their order. No two are equal.
func lineDigests(body []byte, findings []lint.Finding) []lineDigest {
	if len(findings) == 0 {
		return nil
	}
	lines := places.Of(body)
	seen := make(map[lineDigest]int)
	all := make([]lineDigest, len(findings))
	for i := range findings {
		f := &findings[i]
		var text []byte
		if f.Start > 0 || f.End > 0 {
			text = bytes.Trim(lines.Text(f.Line), ascii.Space)
		}
		sum := sha256.Sum256(text)
		d := lineDigest{Code: f.Code, Line: hex.EncodeToString(sum[:8])}
		seen[d]++
		all[i] = lineDigest{d.Code, d.Line, seen[d]}
	}
	return all
}
