package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// zstdBodies are what servers may send.
func zstdBodies(t testing.TB) map[string][]byte {
	texts := map[string]string{
		"nothing": "", "a byte": "#", "a file": "User-agent: *\nDisallow: /\n", "300 bytes": strings.Repeat("abc", 100),
		"200 KB": strings.Repeat("Disallow: /a\n#\n", 13_000), "70 KB": strings.Repeat("Disallow: /", 70<<10/11),
	}
	bodies := make(map[string][]byte)
	for _, window := range []int{zstd.MinWindowSize, 1 << 17, 8 << 20} {
		for _, single := range []bool{false, true} {
			w, err := zstd.NewWriter(nil, zstd.WithWindowSize(window), zstd.WithSingleSegment(single),
				zstd.WithEncoderCRC(!single), zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range texts {
				name = fmt.Sprintf("%s, window %d, single segment %v", name, window, single)
				whole := w.EncodeAll([]byte(text), nil)
				var stream bytes.Buffer
				w.Reset(&stream)
				for part := range strings.SplitAfterSeq(text[:min(len(text), 10_000)], "#") {
					_, _ = io.WriteString(w, part)
					_ = w.Flush()
				}
				_ = w.Close()
				const skipped = "\x5A\x2A\x4D\x18\x03\x00\x00\x00xyz"
				bodies[name] = whole
				bodies[name+", streamed"] = stream.Bytes()
				bodies[name+", frames"] = slices.Concat([]byte(skipped), whole, []byte(skipped), stream.Bytes(), []byte(skipped))
			}
		}
	}
	return bodies
}

// plainZstd decodes without any of our doing.
func plainZstd(body []byte) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecodeBuffersBelow(0), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, 1<<20))
}

func ourZstd(body []byte, limit int) ([]byte, error) {
	r, err := newZstd(bytes.NewReader(body), limit)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, int64(limit)+1))
}

const zstdLimit = 500 << 10

// TestZstd holds that a body comes out the same with the smaller window.
func TestZstd(t *testing.T) {
	bodies := zstdBodies(t)
	for name, body := range bodies {
		want, err := plainZstd(body)
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := ourZstd(body, zstdLimit); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d: %v", name, len(got), len(want), err)
		}
	}
	t.Logf("%d bodies", len(bodies))
}

// TestZstdFarBack looks back over more than a window of ours, in the very block
// that the limit cuts.
func TestZstdFarBack(t *testing.T) {
	far := make([]byte, 0, 1<<20)
	for i := range 600_000 / 8 {
		far = fmt.Appendf(far, "%07x\n", i*7919)
	}
	far = append(far, far...)
	w, err := zstd.NewWriter(nil, zstd.WithWindowSize(8<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	body := w.EncodeAll(far, nil)
	for _, limit := range []int{zstdLimit, 525_000, 530_000, 580_000, 600_000, 650_000, 1_000_000} {
		got, err := ourZstd(body, limit)
		if err != nil || !bytes.Equal(got, far[:limit+1]) {
			t.Errorf("limit %d: %d bytes, %v", limit, len(got), err)
		}
	}
}

func FuzzZstd(f *testing.F) {
	for _, body := range zstdBodies(f) {
		if len(body) < 300 {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want, wantErr := plainZstd(body)
		got, err := ourZstd(body, zstdLimit)
		switch {
		case len(want) > zstdLimit || len(got) > zstdLimit:
			want, got = want[:min(len(want), zstdLimit)], got[:min(len(got), zstdLimit)]
			if !bytes.HasPrefix(want, got) && !bytes.HasPrefix(got, want) {
				t.Error("the bytes up to the limit differ")
			}
		case errors.Is(wantErr, zstd.ErrWindowSizeExceeded), errors.Is(wantErr, zstd.ErrDecoderSizeExceeded), errors.Is(err, errOverBudget):
			// Ours takes any window, and fewer frames.
		case (err == nil) != (wantErr == nil), err == nil && !bytes.Equal(got, want):
			t.Errorf("%d bytes and %v, want %d and %v", len(got), err, len(want), wantErr)
		}
	})
}
