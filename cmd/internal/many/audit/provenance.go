package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// maxDigests bounds the inputs that a provenance lists one by one.
const maxDigests = 1000

// maxTail bounds the end of standard input that the reader of its archive has left.
const maxTail = 1 << 20

// Digests returns the inputs with the SHA-256 of their bytes. A folder has that of a line for each of its files, as
// sha256sum prints them, sorted by their names. Inputs after the first 1,000 are one entry, which has that of their
// lines.
// Call it after Run, so that standard input and URLs were read. An input that cannot be read, or was not read to its
// end, has no digest.
func (in *Inputs) Digests(ctx context.Context) (digests []wire.AuditDigest, err error) {
	var names []string
	folders := map[string]*folder{}
	remotes := map[string]*remote{}
	for _, source := range in.Sources {
		switch s := source.(type) {
		case *folder:
			folders[s.name] = s
			names = append(names, s.name)
		case *remote:
			remotes[s.name] = s
			names = append(names, s.name)
		case *list:
			names = append(names, s.files...)
		default:
			names = append(names, source.Name())
		}
	}
	for _, table := range in.Tables {
		names = append(names, table.Name)
	}
	rest := wire.AuditDigest{}
	lines := sha256.New()
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var one wire.AuditDigest
		if at := remotes[name]; at != nil {
			one = at.digest()
		} else {
			one = in.digest(name, folders[name])
		}
		if i < maxDigests {
			digests = append(digests, one)
			continue
		}
		rest.Bytes += one.Bytes
		fmt.Fprintf(lines, "%s  %s\n", one.SHA256, one.Name)
	}
	if more := len(names) - maxDigests; more > 0 {
		rest.Name, rest.SHA256 = fmt.Sprintf("and %d more", more), hex.EncodeToString(lines.Sum(nil))
		digests = append(digests, rest)
	}
	return digests, nil
}

func (in *Inputs) digest(name string, of *folder) wire.AuditDigest {
	digest := wire.AuditDigest{Name: origin.WithoutPasswords(name)}
	sum := sha256.New()
	switch {
	case name == "-" && in.stdin != nil:
		if _, err := io.CopyN(io.Discard, in.stdin, maxTail); err != io.EOF {
			return digest
		}
		digest.Bytes, sum = in.stdin.bytes, in.stdin.sum
	case of != nil:
		for file := range of.fileNames {
			one := sha256.New()
			n, err := addFile(one, file)
			if err != nil {
				return digest
			}
			digest.Bytes += n
			fmt.Fprintf(sum, "%x  %s\n", one.Sum(nil), of.record(file))
		}
	default:
		n, err := addFile(sum, name)
		if err != nil {
			return digest
		}
		digest.Bytes = n
	}
	digest.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return digest
}

// addFile adds the bytes of a regular file to a hash.
func addFile(to hash.Hash, name string) (int64, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return 0, os.ErrInvalid
	}
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return io.Copy(to, file)
}

// hashedReader counts and hashes what is read.
type hashedReader struct {
	io.Reader
	sum   hash.Hash
	bytes int64
}

func (r *hashedReader) Read(to []byte) (int, error) {
	n, err := r.Reader.Read(to)
	r.sum.Write(to[:n])
	r.bytes += int64(n)
	return n, err
}

// provenanceKey is the key of the metadata with the provenance in a Parquet file.
const provenanceKey = "robotstxt.audit"

// madeBy returns the options of a Parquet file with its provenance, which can be nil.
func madeBy(p *wire.AuditProvenance) []parquet.WriterOption {
	if p == nil {
		return []parquet.WriterOption{parquet.CreatedBy("robotstxt", "", "")}
	}
	version, commit := toolOf(p)
	return []parquet.WriterOption{parquet.CreatedBy("robotstxt", version, commit),
		parquet.KeyValueMetadata(provenanceKey, provenanceText(p))}
}

// toolOf returns the version and the commit of a tool, such as "v0.1.0 (0123456789ab)".
func toolOf(p *wire.AuditProvenance) (version, commit string) {
	version, commit, _ = strings.Cut(p.Tool, " (")
	if commit == "" {
		return version, "unknown"
	}
	return version, strings.TrimSuffix(commit, ")")
}

func provenanceText(p *wire.AuditProvenance) string {
	text, _ := json.Marshal(p) // texts and numbers are always valid
	return string(text)
}
