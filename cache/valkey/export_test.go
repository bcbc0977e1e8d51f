package valkey

import "encoding/binary"

// Newer returns value as a newer version would have written it, with other data if
// data is not empty.
func Newer(key, value, data string) string {
	b := []byte(value)
	if data != "" {
		b = append(b[:headWidth+sumWidth], data...)
	}
	b[0] = version + 1
	binary.BigEndian.PutUint32(b[headWidth:], checksum(key, b))
	return string(b)
}
