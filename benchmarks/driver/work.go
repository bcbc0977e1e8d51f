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

// Job is work with the files of a corpus that a process has been given.
type Job struct {
	process *Process
	work    Work
	agent   string
	files   []corpus.File
}

// Load makes a process ready to be timed at this work.
func (p *Process) Load(work Work, agent string, files []corpus.File) (*Job, error) {
	job := &Job{p, work, agent, files}
	return job, job.load()
}

// load hands the files over in a temporary file.
func (j *Job) load() error {
	j.process.job = nil
	file, err := os.CreateTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	err = write(file, j.agent, j.files)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	_, err = j.process.send(struct {
		Work   Work   `json:"work"`
		Corpus []byte `json:"corpus"`
	}{j.work, []byte(file.Name())}, workPatience)
	if err == nil {
		j.process.job = j
	}
	return err
}

// Time goes at the work and returns the time that the program measured for all
// goes together. A process that has been given another job in between is given
// this one again, untimed.
func (j *Job) Time(goes int) (time.Duration, error) {
	if j.process.job != j {
		if err := j.load(); err != nil {
			return 0, err
		}
	}
	r, err := j.process.send(struct {
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
