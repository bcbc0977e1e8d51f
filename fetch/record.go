package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// A record contains the raw body and the facts of its fetch, but no rules, so
// that a fixed parser or another policy applies to old records too. Its format:
//
//	"robotstxt\x00"  magic
//	1 byte           version
//	4 bytes          length of the facts, big-endian
//	…                facts, in JSON
//	…                body
//	32 bytes         SHA-256 of everything before
//
// Later versions keep magic, version and checksum, so that a damaged record of this
// version is not taken for one of theirs.
const (
	recordMagic   = "robotstxt\x00"
	recordVersion = 2 // 1 had no Location and no limits: such records are fetched again
	recordHead    = len(recordMagic) + 1 + 4
)

type facts struct {
	Origin    origin.Origin `json:"origin"`
	CheckedAt time.Time     `json:"checked_at"`
	Answer    *siteAnswer   `json:"settled,omitempty"`
	Fault     *fault        `json:"fault,omitempty"`
	Within    terms         `json:"within"`
}

func (s *state) record(t terms) ([]byte, error) {
	text, err := json.Marshal(facts{s.origin, s.checkedAt, s.lastAnswer, s.fault, t})
	if err != nil {
		return nil, err
	}
	var body []byte
	if s.lastAnswer != nil {
		body = s.lastAnswer.body
	}
	b := make([]byte, 0, recordHead+len(text)+len(body)+sha256.Size)
	b = append(append(b, recordMagic...), recordVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	b = append(append(b, text...), body...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

var (
	errInvalidRecord = errors.New("invalid record")
	errFuture        = errors.New("record from the future")
	errOld           = errors.New("record too old")
)

// readRecord decodes the record of o. It returns an error if the record cannot be
// decoded, belongs to another origin, is from the future or is too old. The client
// treats such an error as a cache miss.
func readRecord(b []byte, o origin.Origin, now time.Time) (*state, error) {
	s, err := decodeRecord(b)
	switch {
	case err != nil:
		return nil, err
	case s.origin != o:
		return nil, fmt.Errorf("%w: it belongs to %s", errInvalidRecord, s.origin)
	case s.checkedAt.After(now.Add(clockSkew)):
		return nil, errFuture
	case s.checkedAt.Before(now.Add(-keepStale)): // in case the store ignored Expires
		return nil, errOld
	}
	return s, nil
}

// decodeRecord reverses record. It returns an error if the record is damaged, has
// another version or is inconsistent. The body of the state shares memory with b.
func decodeRecord(b []byte) (*state, error) {
	if len(b) < recordHead+sha256.Size || string(b[:len(recordMagic)]) != recordMagic {
		return nil, errInvalidRecord
	}
	content, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(content); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("%w: wrong checksum", errInvalidRecord)
	}
	switch version := b[len(recordMagic)]; {
	case version > recordVersion:
		return nil, fmt.Errorf("%w: record version %d, this one reads %d", cache.ErrNewer, version, recordVersion)
	case version < recordVersion:
		return nil, fmt.Errorf("%w: version %d", errInvalidRecord, version)
	}
	length := binary.BigEndian.Uint32(content[len(recordMagic)+1:])
	content = content[recordHead:]
	if uint64(length) > uint64(len(content)) {
		return nil, fmt.Errorf("%w: truncated facts", errInvalidRecord)
	}
	var f facts
	if err := json.Unmarshal(content[:length], &f); err != nil {
		return nil, fmt.Errorf("%w: %w", errInvalidRecord, err)
	}
	s := &state{origin: f.Origin, checkedAt: f.CheckedAt, lastAnswer: f.Answer, fault: f.Fault, within: &f.Within}
	if s.lastAnswer != nil {
		s.lastAnswer.body = content[length:len(content):len(content)]
	}
	return s, s.check()
}

// check returns an error if s is inconsistent. A faulty program can write such a
// record with a correct checksum.
func (s *state) check() error {
	switch {
	case s.lastAnswer == nil && s.fault == nil:
		return fmt.Errorf("%w: neither an answer nor a fault", errInvalidRecord)
	case s.lastAnswer != nil && (!s.lastAnswer.valid() || s.fault == nil && s.lastAnswer.At.After(s.checkedAt)):
		// If there is a fault, the answer can even be later than it: the clock
		// was set back between them.
		return fmt.Errorf("%w: inconsistent answer", errInvalidRecord)
	case s.fault != nil && (!s.fault.valid() || s.fault.Since.After(s.checkedAt)):
		return fmt.Errorf("%w: inconsistent fault", errInvalidRecord)
	}
	return nil
}

func (g *siteAnswer) valid() bool {
	switch g.Class {
	case classFile:
		return len(g.body) == g.Bytes
	case classEmpty, classUnavailable, classRejected, classForbidden, classUndefined:
		return len(g.body) == 0 && g.Bytes == 0
	}
	return false
}

func (f *fault) valid() bool {
	return (f.Class == classUnreachable || f.Class == classRefused) && f.Tries > 0 && !f.NextTry.Before(f.Since)
}
