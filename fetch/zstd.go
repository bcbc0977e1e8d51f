package fetch

import (
	"bufio"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdBlock is the most that one block of a zstd frame decodes to (RFC 8878
// 3.1.1.2).
const zstdBlock = 128 << 10

// zstdHeader is the longest header of a frame, its magic number included (RFC
// 8878 3.1.1.1).
const zstdHeader = 4 + 1 + 1 + 4 + 8

// zstdMostFrames is more frames than a body has, empty ones and such to be
// skipped included.
const zstdMostFrames = 1 << 10

// zstdIdle holds decoders for the next bodies. The window is most of what one
// takes, and a crawler would make it garbage with every fetch.
var zstdIdle = make(chan *zstdBody, 4)

// zstdBody is a body that is being decoded.
type zstdBody struct {
	*zstd.Decoder
	frames zstdFrames
}

// newZstd returns a decoder for a body of which limit bytes are read.
func newZstd(r io.Reader, limit int) (*zstdBody, error) {
	most := zstdWindow(uint64(limit) + 1 + zstdBlock)
	var z *zstdBody
	select {
	case z = <-zstdIdle:
	default:
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		z = &zstdBody{Decoder: decoder}
	}
	z.frames = zstdFrames{r: bufio.NewReader(r), most: most}
	return z, z.ResetWithOptions(&z.frames, zstd.WithDecoderMaxWindow(most.size()))
}

// Read fails if a frame is cut in its very first bytes, which the decoder takes
// for the end.
func (z *zstdBody) Read(p []byte) (int, error) {
	n, err := z.Decoder.Read(p)
	if err == io.EOF && z.frames.err != nil {
		err = z.frames.err
	}
	return n, err
}

// Close keeps the decoder for later, unless the limit was such that its window
// may be large.
func (z *zstdBody) Close() error {
	large := z.frames.most.size() > 1<<20
	z.frames = zstdFrames{}
	if large || z.Reset(nil) != nil {
		return nil
	}
	select {
	case zstdIdle <- z:
	default:
	}
	return nil
}

// zstdFrames passes zstd frames on (RFC 8878 3.1) and lowers the window that
// their headers ask for. A decoder sets the window aside before the first byte:
// 2 to 8 MB for a file of two lines, where a server compresses as it goes. A
// window beyond what will be read is never looked into, so nothing is lost.
type zstdFrames struct {
	r        *bufio.Reader
	most     windowDescriptor
	frames   int
	inFrame  bool
	checksum bool   // follows the frame's last block
	head     []byte // to be handed out first; in buffer
	left     int64  // of a block, to be handed out after
	err      error  // of next
	buffer   [zstdHeader]byte
}

// Read leaves all checks to the decoder: what it cannot follow it passes on.
func (z *zstdFrames) Read(p []byte) (int, error) {
	for len(z.head) == 0 && z.left == 0 {
		if z.err = z.next(); z.err != nil {
			return 0, z.err
		}
	}
	if len(z.head) > 0 {
		n := copy(p, z.head)
		z.head = z.head[n:]
		return n, nil
	}
	n, err := z.r.Read(p[:min(int64(len(p)), z.left)])
	if z.left -= int64(n); err == io.EOF && z.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next reads the header that is next in line.
func (z *zstdFrames) next() error {
	if z.inFrame {
		return z.nextBlock()
	}
	magic := z.buffer[:4]
	if _, err := io.ReadFull(z.r, magic); err != nil {
		return err // io.EOF in front of a frame is the end
	}
	const skippable, frame = 0x184D2A5, 0xFD2FB528
	switch n := binary.LittleEndian.Uint32(magic); {
	case n>>4 == skippable:
		return z.skip()
	case n == frame:
		return z.nextFrame()
	}
	z.head = magic // for the decoder to refuse
	return nil
}

func (z *zstdFrames) skip() error {
	size := z.buffer[4:8]
	if err := z.full(size); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(size))
	if copied, err := io.CopyN(io.Discard, z.r, n); copied < n {
		return cut(err)
	}
	return nil
}

// nextFrame writes the header anew: as many bytes for the content's size as
// there can be, if it is known, and always a window of its own, where a header
// without one makes the size the window.
func (z *zstdFrames) nextFrame() error {
	if z.frames++; z.frames > zstdMostFrames {
		return errOverBudget
	}
	b := &z.buffer
	if err := z.full(b[4:5]); err != nil {
		return err
	}
	flags, single := b[4], b[4]&0x20 != 0
	idLength, sizeLength := 1<<(flags&3)>>1, 1<<(flags>>6)
	end := 5
	if !single {
		if err := z.full(b[5:6]); err != nil {
			return err
		}
		end = 6
		sizeLength &^= 1 // no byte rather than one
	}
	rest := b[end : end+idLength+sizeLength]
	if err := z.full(rest); err != nil {
		return err
	}
	size := littleEndian(rest[idLength:])
	window := windowDescriptor(b[5])
	if single {
		window = zstdWindow(min(size, z.most.size()))
	}
	copy(b[6:], rest[:idLength])
	b[4], b[5] = flags&0x1F, byte(min(window, z.most))
	z.head = b[:6+idLength]
	if sizeLength > 0 {
		b[4] |= 3 << 6
		z.head = binary.LittleEndian.AppendUint64(z.head, size)
	}
	z.inFrame, z.checksum = true, flags&4 != 0
	return nil
}

// littleEndian reads the size of a frame's content (RFC 8878 3.1.1.1.4).
func littleEndian(b []byte) (n uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	if len(b) == 2 {
		n += 256
	}
	return n
}

// nextBlock reads a block's header, which tells where the next one is.
func (z *zstdFrames) nextBlock() error {
	const rle = 1
	header := z.buffer[:3]
	if err := z.full(header); err != nil {
		return err
	}
	n := uint32(header[0]) | uint32(header[1])<<8 | uint32(header[2])<<16
	z.head, z.left = header, int64(n>>3)
	if n>>1&3 == rle {
		z.left = 1
	}
	if last := n&1 != 0; last {
		z.inFrame = false
		if z.checksum {
			z.left += 4
		}
	}
	return nil
}

// full fills p; an end within a header is a cut.
func (z *zstdFrames) full(p []byte) error {
	_, err := io.ReadFull(z.r, p)
	return cut(err)
}

func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// windowDescriptor is the size of a window in its one byte (RFC 8878
// 3.1.1.1.2); a greater byte is a greater size.
type windowDescriptor byte

// zstdWindow returns the smallest window of at least n bytes.
func zstdWindow(n uint64) windowDescriptor {
	var w windowDescriptor
	for w.size() < n && w < 0xFF {
		w++
	}
	return w
}

func (w windowDescriptor) size() uint64 {
	base := uint64(1) << (10 + w>>3)
	return base + base/8*uint64(w&7)
}
