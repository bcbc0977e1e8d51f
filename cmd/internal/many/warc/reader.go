package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
)

// Record is one record of an archive.
type Record struct {
	// Offset is the offset in bytes of the record in the stored archive. In an archive
	// compressed with gzip, it is the offset of the record's gzip member; with zstd, it is the
	// offset in the decompressed archive.
	Offset int64

	Type      string // WARC-Type in lower case: response, revisit, warcinfo, …
	URI       string // WARC-Target-URI, empty if the record has none
	Date      string // WARC-Date as it is written, empty if it is missing
	Truncated string // WARC-Truncated: the reason why the block is incomplete; empty if it is complete

	Digest   string // WARC-Payload-Digest, empty without one
	RefersTo string // WARC-Refers-To-Target-URI: the URL of the record that a revisit repeats; empty without one
	RefersAt string // WARC-Refers-To-Date: the Date of that record; empty without one

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
	// Block is the number of bytes of a record's block that are kept. Default: 1 MiB.
	Block int
	// Head is the limit in bytes of the head of a record. Default: 64 KiB.
	Head int
}

// DamageError reports a damaged place. The Reader continues after it.
type DamageError struct {
	Offset int64 // of the damaged record, see Record.Offset
	Err    error
}

func (e *DamageError) Error() string { return fmt.Sprintf("offset %d: %v", e.Offset, e.Err) }

func (e *DamageError) Unwrap() error { return e.Err }

// EndError reports that an archive ends early: within a record, as after half a download, or
// before the first one. No records follow. An archive that ends between two records, or between
// two gzip members, looks complete.
type EndError struct {
	Offset int64 // the offset of the record that is cut, see Record.Offset; negative if there is no record
	Read   int64 // the length of the archive in bytes, as Offset counts them
}

func (e *EndError) Error() string {
	switch {
	case e.Read == 0:
		return "it is empty"
	case e.Offset < 0:
		return fmt.Sprintf("there is no record in its %d bytes", e.Read)
	}
	return fmt.Sprintf("it ends after %d bytes, within the record at offset %d", e.Read, e.Offset)
}

// Reader reads the records of an archive in their order. It is not safe for
// concurrent use.
type Reader struct {
	config   Config
	in       *input
	buffers  [3]*bufio.Reader // of the source, of in, and of members
	unzip    *gzip.Reader
	text     *bufio.Reader // the archive without compression
	members  *members      // nil if the archive is not compressed with gzip
	isZstd   bool
	start    int64 // where the current record begins
	head     int   // bytes of the current head that can still follow
	line     []byte
	block    []byte
	damaged  bool  // the next record has to be searched for
	atRecord bool  // the damaged record was cut, and the next one begins here
	records  int   // the number of records that were returned
	cut      int64 // the offset of a record at the end of the archive so far, -1 if it was followed by another
	err      error // the error of all further calls
}

// The sizes of the buffers, in bytes.
const (
	storedBuffer = 128 << 10
	textBuffer   = 64 << 10
)

// versionBegin begins every record. [WARC 1.1 4]
var versionBegin = []byte("WARC/")

// NewReader returns a reader of an archive. Its first bytes show whether it is
// compressed.
func NewReader(source io.Reader, config Config) *Reader {
	if config.Block <= 0 {
		config.Block = 1 << 20
	}
	if config.Head <= 0 {
		config.Head = 64 << 10
	}
	r := &Reader{config: config, in: &input{kept: make([]byte, 0, 2*rewindable)}}
	for i, size := range []int{storedBuffer, storedBuffer, textBuffer} {
		r.buffers[i] = bufio.NewReaderSize(nil, size)
	}
	r.unzip = new(gzip.Reader)
	r.Reset(source)
	return r
}

// Reset makes the reader read another archive.
func (r *Reader) Reset(source io.Reader) {
	buffers := r.buffers
	stored, raw, text := buffers[0], buffers[1], buffers[2]
	stored.Reset(source)
	source = stored
	begin, _ := stored.Peek(4)
	isZstd := IsZstd(begin)
	if isZstd {
		source = &zstdReader{stored: stored}
	}
	*r.in = input{source: source, kept: r.in.kept[:0]}
	raw.Reset(r.in)
	*r = Reader{config: r.config, in: r.in, buffers: buffers, line: r.line, block: r.block, unzip: r.unzip, text: raw,
		isZstd: isZstd, cut: -1}
	if begin, _ := raw.Peek(2); bytes.Equal(begin, magic[:2]) {
		r.members = &members{in: r.in, stored: raw, gzip: r.unzip}
		text.Reset(r.members)
		r.text = text
	}
}

// Stored returns the range of the stored archive in which a Reader finds the last record again, perhaps after others:
// its bytes, the gzip members from its first to its last byte, or all of an archive that is compressed with zstd.
func (r *Reader) Stored() (from, to int64) {
	if r.isZstd {
		return 0, math.MaxInt64
	}
	return r.start, r.Offset()
}

// Offset returns the number of bytes of the stored archive that have been read.
func (r *Reader) Offset() int64 {
	if r.members != nil {
		return r.members.offset()
	}
	return r.in.read - int64(r.text.Buffered())
}

// Next returns the next record. The error is io.EOF at the end, an *EndError if the archive
// ends early, a *DamageError for a damaged place, after which Next can be called again, or the
// error of the source.
//
// After a damaged place, any bytes that look like a record count as one, even if they are part
// of the damaged record.
func (r *Reader) Next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	record, err := r.next()
	if err == nil {
		r.records++
		r.cut = -1
		return record, nil
	}
	damage := &DamageError{r.start, err}
	if isEnd(err) && r.in.err == nil {
		r.cut = r.start
		if err = r.resume(); err == nil {
			r.atRecord = false
			return Record{}, damage
		}
	}
	if err == errNoRecord {
		r.err = err
		return Record{}, err
	}
	if r.in.err != nil || err == io.EOF {
		r.err = r.ending()
		return Record{}, r.err
	}
	r.damaged = true
	return Record{}, damage
}

func (r *Reader) ending() error {
	switch {
	case r.in.err == io.ErrUnexpectedEOF: // the error of a compression of the whole archive, or of a transfer
		return &EndError{r.start, r.in.read}
	case r.in.err != nil:
		return r.in.err
	case r.cut >= 0 || r.records == 0:
		return &EndError{r.cut, r.in.read}
	}
	return io.EOF
}

// isEnd reports whether an early end of the archive can be the cause of an error.
func isEnd(err error) bool {
	return errors.Is(err, errCut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errZeros)
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
	record.Block, err = r.readBlock(record.Length)
	if err != nil {
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
		case first[0] == 0:
			return errZeros
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
	for skipped := int64(0); !r.beginsRecord(); {
		n, err := r.skipLine(maxDamage - skipped)
		skipped += n
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

// maxDamage is the limit of bytes in which the next record is searched for. A device never ends.
const maxDamage = 4 << 30

var errNoRecord = errors.New("there is no record within 4 GiB")

func (r *Reader) skipLine(most int64) (n int64, err error) {
	for n < most {
		part, err := r.text.ReadSlice('\n')
		n += int64(len(part))
		if err != bufio.ErrBufferFull {
			return n, err
		}
	}
	return n, errNoRecord
}

func (r *Reader) beginsRecord() bool {
	begin, _ := r.text.Peek(len(versionBegin))
	return bytes.Equal(begin, versionBegin)
}

var (
	errCut     = errors.New("the archive or the gzip member ends within the record")
	errTrailer = errors.New("the record does not end where its Content-Length says")
	errZeros   = errors.New("there are zeros instead of a record") // zeros of a file that a download had not filled
)

// joined continues with the next gzip member if a member has ended within a record, because some
// programs compress a whole archive in pieces. A member that begins like a record shows that the
// record was cut.
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
	r.atRecord = r.beginsRecord()
	if r.atRecord {
		return errCut
	}
	return nil
}

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
// checksum, if only line ends precede it. [WARC 1.1 4]
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
		case err == io.EOF && r.members == nil && end[0] == '\r':
			return errCut
		case err != nil && err != io.EOF:
			return err
		default:
			return errTrailer
		}
	}
	if r.members == nil {
		return nil
	}
	for {
		switch first, err := r.text.Peek(1); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case first[0] != '\r' && first[0] != '\n':
			return r.follows()
		}
		r.text.Discard(1)
	}
}

// follows checks the bytes after a record in its gzip member. If they are not a record, the data
// might be damaged. A later error of the compression then applies to this record too.
func (r *Reader) follows() error {
	if r.beginsRecord() {
		return nil
	}
	_, err := r.text.Peek(r.text.Size())
	if err == io.EOF {
		return nil
	}
	return err
}
