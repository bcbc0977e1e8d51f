package aiview

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/kosterhq/robotstxt"
)

// digest stands for a text that two lists have only if they are equal.
type digest [sha256.Size]byte

// digestOf returns the digest of rules in their dialect, without their lines.
func digestOf(rules robotstxt.Rules) digest {
	text := []byte{byte(rules.Dialect())}
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			verdict := byte('-')
			if rule.Allow {
				verdict = '+'
			}
			text = append(text, verdict)
			text = binary.AppendUvarint(text, uint64(rule.Length))
			text = binary.AppendUvarint(text, uint64(len(rule.Pattern)))
			text = append(text, rule.Pattern...)
		}
	}
	return sha256.Sum256(text)
}

func linesOf(rules robotstxt.Rules) (lines []int) {
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			lines = append(lines, rule.Line)
		}
	}
	return lines
}

func digestOfLines(of *extent) digest {
	text := append([]byte(of.Extent), 0)
	text = append(append(text, of.Otherwise...), 0)
	for _, e := range of.Except {
		line := uint64(e.Line) << 1
		if e.Part {
			line |= 1
		}
		text = binary.AppendUvarint(text, line)
	}
	return sha256.Sum256(text)
}
