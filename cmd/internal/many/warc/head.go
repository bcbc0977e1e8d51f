package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

var errHead = errors.New("the head of the record is too long")

// readHead reads the version line and the fields of a record. [WARC 1.1 4, 5]
func (r *Reader) readHead() (Record, error) {
	r.head = r.config.Head
	version, err := r.readLine()
	if err != nil {
		return Record{}, err
	}
	if v := string(version); v != "WARC/1.0" && v != "WARC/1.1" {
		return Record{}, fmt.Errorf("a record begins with %.40q instead of WARC/1.0 or WARC/1.1", v)
	}
	record := Record{Length: -1}
	for {
		if r.beginsRecord() { // names of fields contain no slash
			return Record{}, errCut
		}
		line, err := r.readLine()
		if err != nil {
			return Record{}, err
		}
		if len(line) == 0 {
			break
		}
		if err := record.addField(line); err != nil {
			return Record{}, err
		}
	}
	switch {
	case record.Length < 0:
		return Record{}, errors.New("the record has no Content-Length")
	case record.Type == "":
		return Record{}, errors.New("the record has no WARC-Type")
	}
	return record, nil
}

// addField reads a field. It ignores continuation lines: none of the fields that are
// read here is long enough to need them.
func (r *Record) addField(line []byte) error {
	if line[0] == ' ' || line[0] == '\t' {
		return nil
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return fmt.Errorf("the line %.40q of the record's head has no colon", line)
	}
	value = bytes.TrimSpace(value)
	switch {
	case isField(name, "warc-type"):
		r.Type = strings.ToLower(string(value))
	case isField(name, "warc-target-uri"):
		r.URI = targetURI(value)
	case isField(name, "warc-refers-to-target-uri"):
		r.RefersTo = targetURI(value)
	case isField(name, "warc-refers-to-date"):
		r.RefersAt = string(value)
	case isField(name, "warc-payload-digest"):
		r.Digest = string(value)
	case isField(name, "warc-date"):
		r.Date = string(value)
	case isField(name, "warc-truncated"):
		r.Truncated = strings.ToLower(string(value))
	case isField(name, "content-type"):
		r.ContentType = string(value)
	case isField(name, "content-length"):
		return r.addLength(string(value))
	}
	return nil
}

// targetURI returns the URI in a field. The specification of version 1.0 shows it in angle brackets, and some
// programs wrote them.
func targetURI(value []byte) string {
	return string(bytes.TrimSuffix(bytes.TrimPrefix(value, []byte("<")), []byte(">")))
}

func (r *Record) addLength(value string) error {
	length, err := strconv.ParseUint(value, 10, 63)
	switch {
	case err != nil:
		return fmt.Errorf("Content-Length %.40q is not a number of bytes", value)
	case r.Length >= 0 && r.Length != int64(length):
		return errors.New("the record has two Content-Lengths")
	}
	r.Length = int64(length)
	return nil
}

// isField compares the name of a field without regard to case. lower is ASCII.
func isField(name []byte, lower string) bool {
	return len(name) == len(lower) && strings.EqualFold(string(name), lower)
}

// readLine returns the next line of a head without its end. It is valid until the next
// call.
func (r *Reader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		part, err := r.text.ReadSlice('\n')
		r.head -= len(part)
		if r.head < 0 {
			return nil, errHead
		}
		if err == nil && len(r.line) == 0 {
			return trimLineEnd(part), nil
		}
		r.line = append(r.line, part...)
		switch err {
		case nil:
			return trimLineEnd(r.line), nil
		case bufio.ErrBufferFull:
		case io.EOF:
			if err := r.joined(); err != nil {
				return nil, err
			}
		default:
			return nil, err
		}
	}
}

func trimLineEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
