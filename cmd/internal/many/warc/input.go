package warc

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// rewindable is the number of the last read bytes that an input keeps, so that a
// search for the next gzip member can begin right after the start of a damaged one.
const rewindable = 1 << 20

// input is the archive as it is stored. It counts its bytes and can go back a
// bounded number of them.
type input struct {
	source io.Reader
	read   int64  // bytes delivered so far
	kept   []byte // the last delivered bytes, from rewindable to 2*rewindable once so many were read
	again  []byte // the rest of kept that is delivered again
	back   int64  // bytes that were delivered again
	err    error  // the error of the source, except io.EOF
}

func (in *input) Read(p []byte) (int, error) {
	if len(in.again) > 0 {
		n := copy(p, in.again)
		in.again = in.again[n:]
		in.read += int64(n)
		return n, nil
	}
	n, err := in.source.Read(p)
	in.read += int64(n)
	in.keep(p[:n])
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

func (in *input) keep(p []byte) {
	if len(in.kept)+len(p) > 2*rewindable {
		in.kept = in.kept[:copy(in.kept, in.kept[max(0, len(in.kept)-rewindable):])]
	}
	in.kept = append(in.kept, p...)
}

// The number of bytes that are delivered again is bounded by a multiple of the bytes
// read, because a hostile archive can have a false start of a record every few bytes.
const (
	freeBack    = 256 << 20
	backForByte = 64
)

// rewind makes the next Read begin at an offset, or at the nearest one later whose
// bytes are still kept. It does nothing if too many bytes were delivered again.
func (in *input) rewind(offset int64) {
	total := in.read + int64(len(in.again))
	back := min(max(total-offset, 0), int64(len(in.kept)))
	if in.back+back > freeBack+backForByte*total {
		return
	}
	in.back += back
	in.again = in.kept[int64(len(in.kept))-back:]
	in.read = total - back
}

// members decompresses a sequence of gzip members. Read returns io.EOF at the end of
// each; next begins another one.
type members struct {
	in     *input
	stored *bufio.Reader // a bufio.Reader, for which the decompressor has a fast path
	gzip   *gzip.Reader
	start  int64 // the offset of the member
	open   bool  // a member has begun but not ended
	err    error // the error of the compression in the current member
}

func (m *members) offset() int64 { return m.in.read - int64(m.stored.Buffered()) }

func (m *members) Read(p []byte) (int, error) {
	if !m.open {
		return 0, io.EOF
	}
	n, err := m.gzip.Read(p)
	switch err {
	case nil:
	case io.EOF:
		m.open = false
	default:
		m.err = err
	}
	return n, err
}

// next begins the next member. It returns io.EOF at the end of the archive.
func (m *members) next() error {
	m.start = m.offset()
	first, err := m.stored.Peek(1)
	if err != nil {
		return err
	}
	if first[0] == 0 {
		m.err = errZeros
		return m.err
	}
	m.err = m.begin()
	if m.err == io.EOF {
		m.err = io.ErrUnexpectedEOF
	}
	return m.err
}

func (m *members) begin() error {
	if err := m.gzip.Reset(m.stored); err != nil {
		return err
	}
	m.gzip.Multistream(false)
	m.open = true
	return nil
}

// magic begins a gzip member with the only existing compression method. [RFC 1952
// 2.3.1]
var magic = []byte{0x1f, 0x8b, 8}

// resume goes to the first member, at an offset or later, whose data begin like a
// record. It returns io.EOF if there is none.
func (m *members) resume(text *bufio.Reader, from int64) error {
	m.open, m.err = false, nil
	for ; ; from = m.start + 1 {
		m.in.rewind(from)
		m.stored.Reset(m.in)
		if err := m.findMagic(); err != nil {
			return err
		}
		m.start = m.offset()
		if m.begin() != nil {
			continue
		}
		text.Reset(m)
		if begin, _ := text.Peek(len(versionBegin)); bytes.Equal(begin, versionBegin) {
			return nil
		}
		m.open, m.err = false, nil
	}
}

func (m *members) findMagic() error {
	for {
		if begin, err := m.stored.Peek(len(magic)); err != nil {
			if err == bufio.ErrBufferFull {
				err = io.ErrUnexpectedEOF
			}
			return err
		} else if bytes.Equal(begin, magic) {
			return nil
		}
		buffered, _ := m.stored.Peek(m.stored.Buffered())
		at := bytes.Index(buffered[1:], magic[:1])
		if at < 0 {
			at = len(buffered) - 1
		}
		if _, err := m.stored.Discard(at + 1); err != nil {
			return err
		}
	}
}
