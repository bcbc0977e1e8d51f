package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// Record is one record of an archive.
type Record struct {
	// Offset is where the record begins in the archive as it is stored, in bytes. In a
	// compressed archive it is the start of the record's gzip member, in one that is
	// compressed with zstd the place in the decompressed archive.
	Offset int64

	Type      string    // WARC-Type in lower case: response, revisit, warcinfo, …
	URI       string    // WARC-Target-URI, empty if the record has none
	Date      time.Time // WARC-Date, zero if it is missing or unreadable
	Truncated string    // WARC-Truncated: why the block is not complete; empty if it is

	// ContentType is the Content-Type of the block, for example
	// "application/http; msgtype=response".
	ContentType string

	// Length is the length of the block in bytes, and Block its beginning, at most
	// Config.Block bytes. Block is valid until the next call of Next.
	Length int64
	Block  []byte
}

// Config bounds a Reader.
type Config struct {
	// Block is how many bytes of a record's block are kept. Default: 1 MiB.
	Block int
	// Head is how many bytes the head of a record may have. Default: 64 KiB.
	Head int
}

// DamageError reports a damaged place. The Reader goes on after it.
type DamageError struct {
	Offset int64 // of the damaged record, see Record.Offset
	Err    error
}

func (e *DamageError) Error() string { return fmt.Sprintf("offset %d: %v", e.Offset, e.Err) }

func (e *DamageError) Unwrap() error { return e.Err }

// Reader reads the records of an archive in their order. It is not safe for
// concurrent use.
type Reader struct {
	config   Config
	in       *input
	text     *bufio.Reader // the archive without compression
	members  *members      // nil if the archive is not compressed
	start    int64         // where the current record begins
	head     int           // bytes of the current head that may still follow
	line     []byte
	block    []byte
	damaged  bool  // the next record has to be searched for
	atRecord bool  // the damaged record was cut, and the next one begins here
	err      error // of all further calls
}

// The sizes of the buffers, in bytes.
const (
	storedBuffer = 128 << 10
	textBuffer   = 64 << 10
)

// versionBegin begins every record. [WARC 1.1 4]
var versionBegin = []byte("WARC/")

// NewReader returns a reader of an archive. Its first bytes show whether it is
// compressed. An empty archive has no records.
func NewReader(source io.Reader, config Config) *Reader {
	if config.Block <= 0 {
		config.Block = 1 << 20
	}
	if config.Head <= 0 {
		config.Head = 64 << 10
	}
	stored := bufio.NewReaderSize(source, storedBuffer)
	if begin, _ := stored.Peek(4); IsZstd(begin) {
		source = &zstdReader{stored: stored}
	} else {
		source = stored
	}
	in := &input{source: source, kept: make([]byte, 0, 2*rewindable)}
	r := &Reader{config: config, in: in, text: bufio.NewReaderSize(in, storedBuffer)}
	if begin, _ := r.text.Peek(2); bytes.Equal(begin, magic[:2]) {
		r.members = &members{in: in, stored: r.text}
		r.text = bufio.NewReaderSize(r.members, textBuffer)
	}
	return r
}

// Offset returns how many bytes of the archive have been read, as it is stored.
func (r *Reader) Offset() int64 {
	if r.members != nil {
		return r.members.offset()
	}
	return r.in.read - int64(r.text.Buffered())
}

// Next returns the next record. The error is io.EOF at the end, a *DamageError for a
// damaged place, after which Next may be called again, or the error of the source.
//
// After a damaged place, whatever looks like a record counts as one, even if it is a
// part of the damaged record.
func (r *Reader) Next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	record, err := r.next()
	if err == nil {
		return record, nil
	}
	if final := r.in.err; final != nil || err == io.EOF {
		r.err = err
		if final != nil {
			r.err = final
		}
		return Record{}, r.err
	}
	r.damaged = true
	return Record{}, &DamageError{r.start, err}
}

func (r *Reader) next() (Record, error) {
	if r.damaged {
		if err := r.resume(); err != nil {
			return Record{}, err
		}
		r.damaged, r.atRecord = false, false
	}
	if err := r.begin(); err != nil {
		return Record{}, err
	}
	record, err := r.readHead()
	if err != nil {
		return Record{}, err
	}
	record.Offset = r.start
	if record.Block, err = r.readBlock(record.Length); err != nil {
		return Record{}, err
	}
	return record, r.readTrailer()
}

// begin goes to the beginning of the next record. It returns io.EOF if there is none.
func (r *Reader) begin() error {
	for {
		r.start = r.Offset()
		if r.members != nil {
			r.start = r.members.start
		}
		first, err := r.text.Peek(1)
		switch {
		case err == io.EOF && r.members != nil:
			if err := r.members.next(); err != nil {
				r.start = r.members.start
				return err
			}
			r.text.Reset(r.members)
		case err != nil:
			return err
		case first[0] == '\r' || first[0] == '\n':
			r.text.Discard(1)
		default:
			return nil
		}
	}
}

// resume goes to the next record after the start of the damaged one.
func (r *Reader) resume() error {
	switch {
	case r.members == nil:
		r.in.rewind(r.start + 1)
		r.text.Reset(r.in)
	case r.members.err != nil:
		return r.members.resume(r.text, r.start+1)
	case r.atRecord:
		return nil
	}
	for !r.beginsRecord() {
		err := r.skipLine()
		if err == io.EOF && r.members != nil {
			err = r.members.next()
			r.text.Reset(r.members)
		}
		if r.members != nil && r.members.err != nil {
			return r.members.resume(r.text, r.members.start+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skipLine skips the rest of a line.
func (r *Reader) skipLine() error {
	for {
		if _, err := r.text.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

// beginsRecord reports whether the next bytes are those of a record.
func (r *Reader) beginsRecord() bool {
	begin, _ := r.text.Peek(len(versionBegin))
	return bytes.Equal(begin, versionBegin)
}

var (
	errCut     = errors.New("the archive or the gzip member ends within the record")
	errTrailer = errors.New("the record does not end where its Content-Length says")
)

// joined continues with the next gzip member, if a member has ended within a record:
// programs that compress a whole archive in pieces do that. A member that begins like
// a record shows that the record was cut.
func (r *Reader) joined() error {
	if r.members == nil {
		return errCut
	}
	if err := r.members.next(); err != nil {
		if err == io.EOF {
			err = errCut
		}
		return err
	}
	r.text.Reset(r.members)
	if r.atRecord = r.beginsRecord(); r.atRecord {
		return errCut
	}
	return nil
}

// readBlock reads the block of a record and returns the part that is kept.
func (r *Reader) readBlock(length int64) ([]byte, error) {
	keep := int(min(length, int64(r.config.Block)))
	r.block = r.block[:0]
	for len(r.block) < keep {
		buffered, err := r.buffered(keep - len(r.block))
		if err != nil {
			return nil, err
		}
		r.block = append(r.block, buffered...)
		r.text.Discard(len(buffered))
	}
	for rest := length - int64(keep); rest > 0; {
		buffered, err := r.buffered(int(min(rest, textBuffer)))
		if err != nil {
			return nil, err
		}
		rest -= int64(len(buffered))
		r.text.Discard(len(buffered))
	}
	return r.block, nil
}

// buffered returns between 1 and most of the next bytes of a record.
func (r *Reader) buffered(most int) ([]byte, error) {
	for {
		_, err := r.text.Peek(1)
		if err == nil {
			return r.text.Peek(min(most, r.text.Buffered()))
		}
		if err != io.EOF {
			return nil, err
		}
		if err := r.joined(); err != nil {
			return nil, err
		}
	}
}

// readTrailer reads the two line ends after a block. It accepts an archive or a member
// that ends without them. It also reads the end of a gzip member, which has its
// checksum. [WARC 1.1 4]
func (r *Reader) readTrailer() error {
	for range 2 {
		end, err := r.text.Peek(2)
		switch {
		case len(end) > 0 && end[0] == '\n':
			r.text.Discard(1)
		case bytes.Equal(end, []byte("\r\n")):
			r.text.Discard(2)
		case err == io.EOF && len(end) == 0:
			return nil
		case err != nil && err != io.EOF:
			return err
		default:
			return errTrailer
		}
	}
	if r.members == nil {
		return nil
	}
	if _, err := r.text.Peek(1); err != io.EOF {
		return err
	}
	return nil
}
