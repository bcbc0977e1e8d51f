package driver

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// Work is a kind of timed work, done once for all files of a corpus.
type Work string

// The kinds of work. OneShot queries path i of file i, counted from 0 and modulo
// the number of the file's paths. Match and Scan query all paths of parsed files.
const (
	Parse   Work = "parse"    // into the program's parsed form, which is dropped
	OneShot Work = "one shot" // parse and answer one query
	Match   Work = "match"    // with a matcher that is prepared before, if there is one
	Scan    Work = "scan"     // with nothing prepared
)

// Job is timed work with the files of a corpus.
type Job struct {
	process *Process
	work    Work
	agent   string
	files   []corpus.File
}

// Load prepares a process for timed work.
func (p *Process) Load(work Work, agent string, files []corpus.File) (*Job, error) {
	job := &Job{p, work, agent, files}
	return job, job.load()
}

// load passes the files in a temporary file.
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

// Time does the work n times and returns the total time that the program measured.
// If the process has had another job since, Time first loads this one again,
// untimed.
func (j *Job) Time(n int) (time.Duration, error) {
	if j.process.job != j {
		if err := j.load(); err != nil {
			return 0, err
		}
	}
	r, err := j.process.send(struct {
		Goes int `json:"goes"`
	}{n}, workPatience)
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
