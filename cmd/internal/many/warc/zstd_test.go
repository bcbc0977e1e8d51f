package warc_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

// frames returns a zstd frame for each record.
func frames(t *testing.T, records []string, options ...zstd.EOption) (archive []byte) {
	t.Helper()
	encoder, err := zstd.NewWriter(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	for _, record := range records {
		archive = encoder.EncodeAll([]byte(record), archive)
	}
	return archive
}

// skippable returns a frame with a dictionary.
func skippable(dictionary []byte) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{0x5d, 0x2a, 0x4d, 0x18}, uint32(len(dictionary))),
		dictionary...)
}

// An archive of zstd frames has its records, with a dictionary and without one.
func TestZstd(t *testing.T) {
	var records []string
	var samples [][]byte
	for i := range 200 {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nServer: nginx/%d\r\n\r\nUser-agent: *\nDisallow: /%d/%s\n", i, i*i, strings.Repeat("a", i))
		record := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://h%d.example/robots.txt\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
		records, samples = append(records, record), append(samples, []byte(record))
	}
	dictionary, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples,
		History: []byte(strings.Join(records[:20], "")), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	withDictionary := frames(t, records, zstd.WithEncoderDict(dictionary))
	plain := frames(t, records)
	for name, archive := range map[string][]byte{
		"plain": plain, "one frame": frames(t, []string{strings.Join(records, "")}),
		"dictionary":            append(skippable(dictionary), withDictionary...),
		"compressed dictionary": append(skippable(frames(t, []string{string(dictionary)})), withDictionary...),
	} {
		uris, err := urisOf(archive)
		if err != io.EOF || len(uris) != len(records) || uris[199] != "https://h199.example/robots.txt" {
			t.Errorf("%s: %d records, %v", name, len(uris), err)
		}
	}
	for name, archive := range map[string][]byte{
		"cut": plain[:len(plain)/2], "no dictionary": withDictionary, "a large dictionary": append([]byte{0x5d, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff},
			plain...),
		"damaged": append(bytes.Clone(plain[:len(plain)/2]), make([]byte, 1000)...),
	} {
		if uris, err := urisOf(archive); err == io.EOF || err == nil {
			t.Errorf("%s: no error after %d records", name, len(uris))
		}
	}
}

// urisOf returns the URIs of the records, and the error that ended them.
func urisOf(archive []byte) (uris []string, err error) {
	r := warc.NewReader(bytes.NewReader(archive), warc.Config{})
	for range 1000 {
		record, err := r.Next()
		if err != nil {
			return uris, err
		}
		uris = append(uris, record.URI)
	}
	return uris, nil
}
