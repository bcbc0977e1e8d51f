package audit

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/files"
)

// form is the form of an input.
type form uint8

const (
	formFile form = iota // a robots.txt
	formWARC             // plain or gzip, which the reader detects
	formTar              // likewise
	formZip
	formLines // NDJSON; plain or gzip
)

// forms maps the ends of names to forms.
var forms = []struct {
	end  string
	form form
}{
	{".warc", formWARC}, {".warc.gz", formWARC},
	{".tar", formTar}, {".tar.gz", formTar}, {".tgz", formTar},
	{".zip", formZip},
	{".ndjson", formLines}, {".jsonl", formLines}, {".ndjson.gz", formLines}, {".jsonl.gz", formLines},
}

func formOf(name string) form {
	name = strings.ToLower(name)
	for _, f := range forms {
		if strings.HasSuffix(name, f.end) {
			return f.form
		}
	}
	return formFile
}

// Config selects how inputs are read.
type Config struct {
	// Hosts maps the names of files in folders, tar and zip archives to hosts. A file
	// that it does not contain has the name of its host. nil contains no file.
	Hosts map[string]string
	// Limit is how many bytes of a file are read. Default: robotstxt.DefaultBodyLimit.
	Limit int
	// Exclude are patterns of files that are left out, see [files.Search].
	Exclude []string
}

func (c Config) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return robotstxt.DefaultBodyLimit
}

// Open returns the sources of arguments: archives, folders, files and patterns, and "-"
// for stdin. An archive in a folder is a source of its own, and the other files of the
// folder are one source together. Each error is about one argument; the sources of the
// others are returned anyway.
func Open(arguments []string, stdin io.Reader, config Config) (sources []Source, errs []error) {
	for _, argument := range arguments {
		switch info, err := os.Stat(argument); {
		case argument == "-":
			sources = append(sources, &archive{name: "-", config: config, stdin: stdin})
		case err == nil && info.IsDir():
			sources = append(sources, openFolder(argument, config)...)
		default:
			found, missing := openFiles(argument, config)
			sources, errs = append(sources, found...), append(errs, missing...)
		}
	}
	return sources, errs
}

// openFolder returns the archives in a folder, and a source of its other files.
func openFolder(name string, config Config) (sources []Source) {
	archives := files.Search{Wanted: func(base string) bool { return formOf(base) != formFile }, Exclude: config.Exclude}
	for archive, err := range archives.Files(name) {
		if err == nil {
			sources = append(sources, openFile(archive, config))
		}
	}
	rest := &folder{name, config}
	if len(sources) == 0 || rest.hasFiles() {
		sources = append(sources, rest)
	}
	return sources
}

// openFiles returns the sources of the files that an argument names.
func openFiles(argument string, config Config) (sources []Source, errs []error) {
	var plain []string
	search := files.Search{Wanted: func(string) bool { return true }, What: "files", Exclude: config.Exclude}
	for name, err := range search.Files(argument) {
		if err == nil && name == argument {
			err = canOpen(name) // a pattern yields files that exist
		}
		switch {
		case err != nil:
			errs = append(errs, err)
		case formOf(name) != formFile:
			sources = append(sources, openFile(name, config))
		default:
			plain = append(plain, name)
		}
	}
	if len(plain) > 0 {
		sources = append(sources, &list{name: argument, files: plain, config: config})
	}
	return sources, errs
}

// canOpen returns the error of a file that cannot be read.
func canOpen(name string) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	return file.Close()
}

// openFile returns the source of an archive.
func openFile(name string, config Config) Source {
	if form := formOf(name); form != formZip {
		return &archive{name: name, form: form, config: config}
	}
	return &zipFile{name: name, config: config}
}

// hostOf returns the host of a file in a folder or an archive. Without an entry in Hosts,
// the files of example.com are "example.com", "example.com.txt", "example.com.robots.txt"
// and "example.com/robots.txt".
func (c Config) hostOf(name string) string {
	name = filepath.ToSlash(name)
	base := name[strings.LastIndexByte(name, '/')+1:]
	for _, key := range []string{name, base} {
		if host, ok := c.Hosts[key]; ok {
			return host
		}
	}
	if strings.EqualFold(base, "robots.txt") {
		folder := strings.TrimSuffix(strings.TrimSuffix(name, base), "/")
		return folder[strings.LastIndexByte(folder, '/')+1:]
	}
	for _, end := range []string{".robots.txt", ".txt"} {
		if host, ok := strings.CutSuffix(base, end); ok {
			return host
		}
	}
	return base
}
