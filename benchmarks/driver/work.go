package driver

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// Work is what a program does once with all files of a corpus when it is timed.
type Work string

// The kinds of work. OneShot asks about path number i of file number i, counted
// from 0 and modulo the number of its paths; Match and Scan ask about all paths
// of files that are parsed before.
const (
	Parse   Work = "parse"    // into the program's parsed form, which is dropped
	OneShot Work = "one shot" // parse and answer one question
	Match   Work = "match"    // questions with whatever the program can prepare
	Scan    Work = "scan"     // questions without preparation
)

// Load makes a process ready to be timed at this work. The files are handed
// over in a temporary file, which the next Load and Close remove.
func (p *Process) Load(work Work, agent string, files []corpus.File) error {
	file, err := os.CreateTemp("", "corpus")
	if err != nil {
		return err
	}
	if p.work != "" {
		os.Remove(p.work)
	}
	p.work = file.Name()
	err = write(file, agent, files)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	_, err = p.send(struct {
		Work   Work   `json:"work"`
		Corpus []byte `json:"corpus"`
	}{work, []byte(p.work)}, workPatience)
	return err
}

// Time goes at the work that was loaded and returns the time that the program
// measured for all goes together.
func (p *Process) Time(goes int) (time.Duration, error) {
	r, err := p.send(struct {
		Goes int `json:"goes"`
	}{goes}, workPatience)
	return time.Duration(r.NS), err
}

// write writes the agent, the number of files, and of each file the body, the
// number of paths and the paths. Numbers have 32 bits, little endian; a text is
// its length and its bytes.
func write(out io.Writer, agent string, files []corpus.File) error {
	w := bufio.NewWriter(out)
	number := func(n int) {
		var four [4]byte
		binary.LittleEndian.PutUint32(four[:], uint32(n))
		w.Write(four[:])
	}
	text := func(s string) {
		number(len(s))
		w.WriteString(s)
	}
	text(agent)
	number(len(files))
	for _, f := range files {
		text(f.Text)
		number(len(f.Paths))
		for _, path := range f.Paths {
			text(path)
		}
	}
	return w.Flush() // it keeps the first error
}
