package visits

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"os"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

type visit struct {
	log        int
	line       int64
	begin, end int64      // milliseconds since 1970
	addr       netip.Addr // invalid if there is no address, or none that is usable
	crawler    int        // -1 if the header names none: a refused fetch of robots.txt
	others     int        // the number of the set of other crawlers of its operator that the header names
	origin     int
	method     string
	target     string
	status     int
	bytes      int64
	flags      flags
	hash       uint64 // of the line
}

// flags are facts about the line of a visit.
type flags uint16

const (
	decoded         flags = 1 << iota // as in accesslog.Entry
	mapped                            // as in accesslog.Entry
	configuredHost                    // the host is a name of the server's configuration
	timed                             // the time is when the request came
	shortened                         // the end of the address might have been removed
	emptied                           // the response had no byte
	headed                            // as in accesslog.Entry
	bare                              // as in accesslog.Entry
	hostInUserField                   // as in accesslog.Entry
	schemeless                        // as in accesslog.Entry
)

func (v *visit) is(f flags) bool { return v.flags&f != 0 }

func instant(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }

// spool keeps visits in a file without a name, because the judgement of a visit depends on all
// others, and standard input can be read only once. Memory does not grow with it.
type spool struct {
	file   *files.TemporaryFile
	to     *bufio.Writer
	buffer []byte
	n      int

	users   map[int]bool // the logs whose names in the user field are users, not hosts
	at      int          // the visit that each has read
	dropped []uint64     // a bit for each visit; nil if none is dropped
}

// drop drops the visit that each has just read.
func (s *spool) drop() {
	if s.dropped == nil {
		s.dropped = make([]uint64, s.n/64+1)
	}
	s.dropped[s.at/64] |= 1 << (s.at % 64)
}

func newSpool() (*spool, error) {
	f, err := files.Temporary("robots-visits-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // Windows removes it in close
	return &spool{users: map[int]bool{}, file: f, to: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (s *spool) close() {
	s.file.Close()
	_ = os.Remove(s.file.Name())
}

func (s *spool) add(v *visit) error {
	b := s.buffer[:0]
	b = binary.AppendUvarint(b, uint64(v.log))
	b = binary.AppendUvarint(b, uint64(v.line))
	b = binary.AppendVarint(b, v.begin)
	b = binary.AppendUvarint(b, uint64(v.end-v.begin))
	b = binary.AppendUvarint(b, uint64(v.crawler+1))
	b = binary.AppendUvarint(b, uint64(v.others))
	b = binary.AppendUvarint(b, uint64(v.origin))
	b = binary.AppendUvarint(b, uint64(v.status))
	b = binary.AppendUvarint(b, uint64(v.bytes))
	b = binary.AppendUvarint(b, uint64(v.flags))
	b = binary.LittleEndian.AppendUint64(b, v.hash)
	for _, text := range [][]byte{v.addr.AsSlice(), []byte(v.method), []byte(v.target)} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	s.buffer = b
	s.n++
	_, err := s.to.Write(b)
	return err
}

// each calls do for each visit that is not dropped, in the order in which they were added. The visit is valid until
// do returns.
func (s *spool) each(do func(*visit) error) error { return s.read(false, do) }

// eachDropped calls do for each visit that is dropped.
func (s *spool) eachDropped(do func(*visit) error) error {
	if s.dropped == nil {
		return nil
	}
	return s.read(true, do)
}

func (s *spool) read(dropped bool, do func(*visit) error) error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := &spoolReader{Reader: bufio.NewReaderSize(s.file, 1<<18)}
	for s.at = range s.n {
		v := visit{
			log: int(r.number()), line: int64(r.number()), begin: r.signed(), end: int64(r.number()),
			crawler: int(r.number()) - 1, others: int(r.number()), origin: int(r.number()),
			status: int(r.number()), bytes: int64(r.number()), flags: flags(r.number()),
		}
		v.hash = r.fixed()
		v.end += v.begin
		if v.is(hostInUserField) && s.users[v.log] {
			v.origin = 0
		}
		v.addr, _ = netip.AddrFromSlice(r.text())
		v.method = string(r.text())
		v.target = string(r.text())
		if r.err != nil {
			return r.err
		}
		if isDropped := s.dropped != nil && s.dropped[s.at/64]>>(s.at%64)&1 == 1; isDropped != dropped {
			continue
		}
		if err := do(&v); err != nil {
			return err
		}
	}
	return nil
}

type spoolReader struct {
	*bufio.Reader
	buffer []byte
	err    error
}

func (r *spoolReader) number() uint64 {
	n, err := binary.ReadUvarint(r)
	r.err = errors.Join(r.err, err)
	return n
}

func (r *spoolReader) signed() int64 {
	n, err := binary.ReadVarint(r)
	r.err = errors.Join(r.err, err)
	return n
}

func (r *spoolReader) fixed() uint64 {
	var b [8]byte
	_, err := io.ReadFull(r, b[:])
	r.err = errors.Join(r.err, err)
	return binary.LittleEndian.Uint64(b[:])
}

// text reads a text, which is valid until the next call.
func (r *spoolReader) text() []byte {
	n := r.number()
	if r.err != nil {
		return nil
	}
	if uint64(cap(r.buffer)) < n {
		r.buffer = make([]byte, n)
	}
	r.buffer = r.buffer[:n]
	_, err := io.ReadFull(r, r.buffer)
	r.err = errors.Join(r.err, err)
	return r.buffer
}
