package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// What is stored is the raw body with the facts of its fetch, never rules: a
// mended parser or another policy applies to old entries at once. A record is
//
//	"robotstxt\x00"  the magic
//	1 byte           the version
//	4 bytes          the length of the facts, big-endian
//	…                the facts in JSON
//	…                the body
//	32 bytes         the SHA-256 of all before
const (
	recordMagic   = "robotstxt\x00"
	recordVersion = 1
	recordHead    = len(recordMagic) + 1 + 4
)

// facts are a state without its body.
type facts struct {
	Origin    origin.Origin  `json:"origin"`
	CheckedAt time.Time      `json:"checked_at"`
	Settled   *settledAnswer `json:"settled,omitempty"`
	Fault     *fault         `json:"fault,omitempty"`
}

func (s *state) record() ([]byte, error) {
	text, err := json.Marshal(facts{s.origin, s.checkedAt, s.settled, s.fault})
	if err != nil {
		return nil, err
	}
	var body []byte
	if s.settled != nil {
		body = s.settled.body
	}
	b := make([]byte, 0, recordHead+len(text)+len(body)+sha256.Size)
	b = append(append(b, recordMagic...), recordVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	b = append(append(b, text...), body...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

var (
	errNoRecord     = errors.New("no record of a robots.txt")
	errOtherVersion = errors.New("a record of another version")
	errFuture       = errors.New("a record from the future")
	errOld          = errors.New("a record that nobody refreshed for too long")
)

// readRecord reads the record of an origin. One that decodeRecord refuses, or of
// another origin, from the future or too old is an error, which counts as a miss.
func readRecord(b []byte, o origin.Origin, now time.Time) (*state, error) {
	s, err := decodeRecord(b)
	switch {
	case err != nil:
		return nil, err
	case s.origin != o:
		return nil, fmt.Errorf("%w: it is that of %s", errNoRecord, s.origin)
	case s.checkedAt.After(now.Add(clockSkew)):
		return nil, errFuture
	case s.checkedAt.Before(now.Add(-keepStale)): // whatever the store makes of Expires
		return nil, errOld
	}
	return s, nil
}

// decodeRecord reads what record wrote. A record that is damaged, of another
// version or contradicts itself is an error. The body of the state is part of b.
func decodeRecord(b []byte) (*state, error) {
	if len(b) < recordHead+sha256.Size || string(b[:len(recordMagic)]) != recordMagic {
		return nil, errNoRecord
	}
	if version := b[len(recordMagic)]; version != recordVersion {
		return nil, fmt.Errorf("%w: %d, not %d", errOtherVersion, version, recordVersion)
	}
	content, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(content); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errNoRecord)
	}
	length := binary.BigEndian.Uint32(content[len(recordMagic)+1:])
	content = content[recordHead:]
	if uint64(length) > uint64(len(content)) {
		return nil, fmt.Errorf("%w: its facts are cut", errNoRecord)
	}
	var f facts
	if err := json.Unmarshal(content[:length], &f); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoRecord, err)
	}
	s := &state{origin: f.Origin, checkedAt: f.CheckedAt, settled: f.Settled, fault: f.Fault}
	if s.settled != nil {
		s.settled.body = content[length:len(content):len(content)]
	}
	return s, s.check()
}

// check reports what no state of ours could be like. A record with a right
// checksum may still be that of a mistaken program.
func (s *state) check() error {
	switch {
	case s.settled == nil && s.fault == nil:
		return fmt.Errorf("%w: it says nothing", errNoRecord)
	case s.settled != nil && (!s.settled.valid() || s.settled.At.After(s.checkedAt)):
		return fmt.Errorf("%w: its answer contradicts itself", errNoRecord)
	case s.fault != nil && (!s.fault.valid() || s.fault.Since.After(s.checkedAt)):
		return fmt.Errorf("%w: its fault contradicts itself", errNoRecord)
	}
	return nil
}

// valid reports whether class and body go together.
func (g *settledAnswer) valid() bool {
	switch g.Class {
	case classFile:
		return len(g.body) == g.Bytes
	case classEmpty, classUnavailable, classForbidden:
		return len(g.body) == 0 && g.Bytes == 0
	}
	return false
}

// valid reports whether f could be a run of failed tries.
func (f *fault) valid() bool {
	return (f.Class == classUnreachable || f.Class == classRefused) && f.Tries > 0 && !f.NextTry.Before(f.Since)
}
