package audit

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Config selects how inputs are read.
type Config struct {
	// Hosts maps the names of files in folders, tar and zip archives to hosts. The name of a
	// file that is not in Hosts is its host's name. nil means that no file is in it.
	Hosts map[string]string
	// Limit is the number of bytes that are read of a file. Default:
	// robotstxt.DefaultBodyLimit.
	Limit int
	// Columns are the columns of CSV and Parquet files by their contents: host, url, status,
	// fetched_at, location or body. Other columns are guessed by their names.
	Columns map[string]string
	// Note receives sentences about guesses. It can be nil.
	Note func(text string)
	// Exclude are patterns of files to skip, see [files.Search].
	Exclude []string
	// Download reads the files at URLs. nil means that a URL is an error.
	Download *download.Client

	skipped *Skipped // nil: skipped files are not counted
}

func (c Config) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return robotstxt.DefaultBodyLimit
}

// Inputs are the inputs that arguments name.
type Inputs struct {
	Sources []Source
	Labels  []string // of the sources; empty without one
	Places  []int    // of the sources among all inputs, see Options
	Tables  []Table  // of earlier audits
	Order   []string // the labels, each once, in the order in which they were given
	Skipped *Skipped // other files; of archives, those that were read so far

	stdin *hashedReader // nil if it is not an input
}

// Add adds a source.
func (in *Inputs) Add(label string, source Source) {
	in.Places = append(in.Places, len(in.Sources)+len(in.Tables))
	in.Sources, in.Labels = append(in.Sources, source), append(in.Labels, label)
	in.note(label)
}

func (in *Inputs) note(label string) {
	if !slices.Contains(in.Order, label) {
		in.Order = append(in.Order, label)
	}
}

// FileNames yields the name of each file that the inputs are read from, and "-" for stdin. Errors of
// folders are left to those who read them.
func (in *Inputs) FileNames(yield func(string) bool) {
	for _, source := range in.Sources {
		names := slices.Values([]string{source.Name()})
		switch source := source.(type) {
		case *remote:
			continue
		case *folder:
			names = source.fileNames
		case *list:
			names = slices.Values(source.files)
		}
		for name := range names {
			if !yield(name) {
				return
			}
		}
	}
	for _, table := range in.Tables {
		if !yield(table.Name) {
			return
		}
	}
}

// Table is a table of an earlier audit, see [Census.ReadTable].
type Table struct {
	Name, Label string
	Place       int // among all inputs, see Options
}

// Open returns the inputs of arguments: archives, folders, files and patterns, URLs, "-" for stdin,
// and tables of earlier audits. LABEL=INPUT gives a label. An archive in a folder is a separate
// source, and the other files of the folder are one source together. Each error is about one
// argument; the inputs of the others are returned anyway.
func Open(arguments []string, stdin io.Reader, config Config) (in *Inputs, errs []error) {
	in = &Inputs{Skipped: &Skipped{}}
	config.skipped = in.Skipped
	for _, argument := range arguments {
		label, name := labelled(argument)
		o := opener{in, label, config}
		switch info, err := os.Stat(name); {
		case name == "" && label != "":
			errs = append(errs, term.Errorf("there is no input after the label %q", argument).Hint("name a folder or an archive after it, without a space between them"))
		case IsURL(name):
			if err := o.url(name); err != nil {
				errs = append(errs, err)
			}
		case name == "-":
			if in.stdin == nil {
				in.stdin = &hashedReader{Reader: stdin, sum: sha256.New()}
			}
			o.add(&archive{name: "-", config: config, stdin: in.stdin})
		case err == nil && info.IsDir():
			errs = append(errs, o.folder(name)...)
		default:
			errs = append(errs, o.files(name)...)
		}
	}
	if len(in.Order) == 0 && len(in.Tables) > 0 {
		in.note("") // they have no rows
	}
	return in, errs
}

// labelled splits LABEL=INPUT. A file that has the name of the whole argument has no label.
func labelled(argument string) (label, input string) {
	label, input, ok := strings.Cut(argument, "=")
	if !ok || label == "" || strings.ContainsAny(label, `/\*`) || exists(argument) {
		return "", argument
	}
	return label, input
}

type opener struct {
	*Inputs
	label  string
	config Config
}

func (o *opener) add(source Source) { o.Add(o.label, source) }

// folder adds the archives and tables in a folder, and a source of its other files.
func (o *opener) folder(name string) (errs []error) {
	rest := &folder{name, o.config}
	before := len(o.Sources) + len(o.Tables)
	isRead := false
	for file, err := range rest.search().Files(name) {
		if err != nil {
			isRead = true // the source of files reports it
			continue
		}
		isSite, err := o.found(rest.record(file), file)
		if err != nil {
			errs = append(errs, err)
		}
		isRead = isRead || isSite
	}
	switch {
	case isRead:
		o.add(rest)
	case len(o.Sources)+len(o.Tables) == before && len(errs) == 0:
		errs = append(errs, term.Prefixed(term.Source(name)+": ", errNoSites))
	}
	return errs
}

// found adds a file of a folder or a pattern if it is an archive or a table, or else counts it as skipped, unless it
// is a site.
func (o *opener) found(record, name string) (isSite bool, err error) {
	switch {
	case o.config.isSite(record):
		return true, nil
	case isPartial(name):
	default:
		if form := formOfFile(name); form != formFile {
			return false, o.archive(name, form)
		}
	}
	o.config.skipped.add(record)
	return false, nil
}

func (o *opener) files(argument string) (errs []error) {
	var plain []string
	search := files.Search{Wanted: func(string) bool { return true }, What: "files", Exclude: o.config.Exclude}
	for name, err := range search.Files(argument) {
		isSite := false
		if err == nil && name == argument {
			err = canOpen(name) // a pattern yields files that exist
		}
		switch record := filepath.ToSlash(name); {
		case err != nil:
		case isPaths(name):
			err = term.Errorf("%q is a list of archives, not an archive", name).Hint("give it to --inputs, and the folder of the archives to --inputs-base")
		case name != argument:
			isSite, err = o.found(record, name)
		case o.config.isSite(record):
			isSite = true
		default:
			err = o.named(name)
		}
		if err != nil {
			errs = append(errs, err)
		}
		if isSite {
			plain = append(plain, name)
		}
	}
	if len(plain) > 0 {
		o.add(&list{name: argument, files: plain, config: o.config})
	}
	return errs
}

// named adds an archive or a table that an argument names.
func (o *opener) named(name string) error {
	form := formOfFile(name)
	if form == formFile {
		return term.Errorf("%q is neither an archive nor named after a host", name).Hint("name it after its host, such as shop.example.txt, or give the host with --host-names")
	}
	return o.archive(name, form)
}

// isPaths reports whether a name has the form of Common Crawl's lists of archives.
func isPaths(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".paths")
}

// The bounds of a list of inputs.
const (
	maxInputs    = 1_000_000
	maxListLines = 2 * maxInputs
)

// ReadInputs returns the inputs in a list, which can be compressed with gzip: one on each line,
// with a label or without one. Empty lines and those that begin with '#' are skipped. Relative
// names are relative to the folder base. If base is a URL, all names but URLs are relative to it,
// so a list from elsewhere names no files here.
func ReadInputs(list io.Reader, base string) (inputs []string, err error) {
	text, err := unzipped(bufio.NewReaderSize(list, 64<<10))
	if err != nil {
		return nil, err
	}
	var buffer []byte
	for number := 1; ; number++ {
		var tooLong bool
		buffer, tooLong, err = readLine(text, buffer[:0], maxHost)
		switch input := strings.TrimSpace(string(buffer)); {
		case err == io.EOF:
			return inputs, nil
		case err != nil:
			return nil, err
		case tooLong || len(inputs) == maxInputs || number > maxListLines:
			return nil, term.Errorf("line %d is longer than %d bytes, or there are more than %s inputs or %s lines", number, maxHost, term.Thousands(maxInputs), term.Thousands(maxListLines)).Hint("divide the list")
		case input == "" || input[0] == '#':
		default:
			label, name := labelled(input)
			switch {
			case IsURL(name):
			case IsURL(base):
				name = below(base, name)
			case !filepath.IsAbs(name):
				name = filepath.Join(base, filepath.FromSlash(name))
			}
			if label != "" {
				name = label + "=" + name
			}
			inputs = append(inputs, name)
		}
	}
}

// below returns the URL of a name below a folder's URL. The folder's query stays, such as the signature of a store.
func below(folder, name string) string {
	folder, query := cutQuery(folder)
	at := strings.TrimSuffix(folder, "/") + "/" + strings.TrimPrefix(name, "/")
	if strings.Contains(name, "?") {
		return at
	}
	return at + query
}

// cutQuery divides a URL before its query or its fragment.
func cutQuery(url string) (before, rest string) {
	if at := strings.IndexAny(url, "?#"); at >= 0 {
		return url[:at], url[at:]
	}
	return url, ""
}

// ListBase returns the URL of the folder that a list at a URL is in.
func ListBase(list string) string {
	list, _ = cutQuery(list)
	begin := strings.Index(list, "://") + len("://")
	if end := strings.LastIndexByte(list, '/'); end >= begin {
		return list[:end]
	}
	return list
}

// archive adds an archive or a table. If it cannot be opened because it ends early, it becomes
// a source with that error, so that other inputs are read.
func (o *opener) archive(name string, form form) error {
	err := o.opened(name, form)
	if err == nil {
		return nil
	}
	if early := earlyEnd(name, form, err); errors.As(early, new(*endError)) {
		o.add(&unread{name, early})
		return nil
	}
	return err
}

func (o *opener) opened(name string, form form) error {
	switch form {
	case formARC:
		return term.Prefixed(term.Source(name)+": ", errARC)
	case formZip:
		o.add(&zipFile{name: name, config: o.config})
	case formCSV:
		source, err := openCSV(name, o.config)
		if err != nil {
			return err
		}
		o.add(source)
	case formParquet:
		head, err := headIn(name)
		if err != nil {
			return err
		}
		if kindOf(head.columns) != "" {
			return o.table(name)
		}
		source, err := openParquet(name, head.columns, o.config)
		if err != nil {
			return err
		}
		o.add(source)
	default:
		o.add(&archive{name: name, form: form, config: o.config})
	}
	return nil
}

// table adds a table, and the labels of its rows if it has none itself.
func (o *opener) table(name string) error {
	o.Tables = append(o.Tables, Table{name, o.label, len(o.Sources) + len(o.Tables)})
	if o.label != "" {
		o.note(o.label)
		return nil
	}
	return labelsIn(name, o.note)
}

func canOpen(name string) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	return file.Close()
}

// hostOf returns the host of a file in a folder or an archive. Without an entry in Hosts,
// the files of example.com are "example.com", "example.com.txt", "example.com.robots.txt"
// and "example.com/robots.txt".
// Hosts are as in origins: SHOP.Example. is shop.example.
func (c Config) hostOf(name string) string { return canonicalHost(c.hostNamed(name), "") }

func (c Config) hostNamed(name string) string {
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
