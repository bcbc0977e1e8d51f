package visits

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// sumLine returns a line as sha256sum writes it.
func sumLine(sum, name string) string {
	escaped := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(name)
	if escaped != name {
		sum = "\\" + sum
	}
	return sum + "  " + escaped + "\n"
}

// sumOf returns the digest of a file.
func sumOf(open func() (io.ReadCloser, error)) (string, error) {
	file, err := open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	digest := sha256.New()
	_, err = io.Copy(digest, file)
	return hex.EncodeToString(digest.Sum(nil)), err
}

// writeSums writes the digests of all files, last: without them, the folder is not complete.
func (e *Evidence) writeSums() error {
	sums, err := sumsOf(e.Folder)
	if err != nil {
		return err
	}
	return e.write([]byte(sumsText(sums)), sumsName)
}

func sumsText(sums []fileSum) string {
	var text strings.Builder
	for _, s := range sums {
		text.WriteString(sumLine(s.sum, s.name))
	}
	return text.String()
}

type fileSum struct{ name, sum string }

// sumsOf returns the digests of the files in a folder, without SHA256SUMS, in the order of their names.
func sumsOf(folder string) (sums []fileSum, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || name == sumsName {
			return err
		}
		if !entry.Type().IsRegular() {
			return term.Errorf("%q is not a regular file", path)
		}
		sum, err := sumOf(func() (io.ReadCloser, error) { return regular.Open(path) })
		sums = append(sums, fileSum{filepath.ToSlash(name), sum})
		return err
	})
	return sums, err
}
