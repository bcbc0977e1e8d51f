package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
)

// inputs returns the inputs. It has printed an error for each missing one.
func (a *auditFlags) inputs(ctx context.Context, t *term.Terminal,
	args []string) (in *audit.Inputs, missing int, err error) {
	config := audit.Config{Limit: int(a.limit), Exclude: a.exclude, Columns: a.columns,
		Note: func(text string) { t.Note("%s", text) }}
	if a.names != "" {
		config.Hosts, err = readHostNames(t, a.names)
		if err != nil {
			return nil, 0, err
		}
	}
	typed := newTyped(audit.URLs(append([]string{a.list, a.listBase}, args...)...)...)
	config.Download, err = a.downloads(t, typed)
	if err != nil {
		return nil, 0, err
	}
	listed, err := a.listed(ctx, t, config.Download)
	if err != nil {
		return nil, 0, err
	}
	in, errs, err := a.ofTables(t, listed, args)
	if err != nil {
		return nil, 0, err
	}
	if in == nil {
		in, errs = audit.Open(append(listed, args...), t.In, config)
	}
	for _, err := range errs {
		t.PrintError(err)
	}
	if a.hosts != "" {
		clients, err := a.open(ctx, t, a.limit, typed)
		if err != nil {
			return nil, 0, err
		}
		in.Add("", audit.Hosts(a.hosts, func() (io.Reader, func(), error) {
			list, err := openInput(t, a.hosts, noteOfHosts)
			if err != nil {
				return nil, nil, err
			}
			return list, list.close, nil
		}, clients.Client))
	}
	if len(in.Order) == 0 && len(errs) > 0 {
		return nil, 0, errShown
	}
	return in, len(errs), a.checkInputs(in)
}

// ofTables returns the inputs if the arguments are tables of earlier audits and a list says what they cover; else nil.
// errs are about tables that cannot be read.
func (a *auditFlags) ofTables(t *term.Terminal, listed, args []string) (in *audit.Inputs, errs []error, err error) {
	if a.list == "" || slices.ContainsFunc(args, func(arg string) bool { return !strings.HasSuffix(arg, ".parquet") }) {
		return nil, nil, nil
	}
	in, errs = audit.Open(args, nil, audit.Config{})
	if !in.AreTables() {
		return nil, nil, nil
	}
	var repeated int
	a.uncovered, repeated, err = in.Cover(listed)
	if err == nil && repeated > 0 {
		t.Note("%s not counted, because others have the same inputs", term.Count(repeated, "table was", "tables were"))
	}
	return in, errs, err
}

// downloads returns the client that reads URLs. The address guard checks all hosts but the typed ones.
func (a *auditFlags) downloads(t *term.Terminal, typed *typedSites) (*download.Client, error) {
	if _, err := a.credentials(typed); err != nil {
		return nil, err
	}
	flags := a.fetchFlags
	flags.adjust = func(config *fetch.Config) { config.Limits.MaxFetchesPerAddress = download.PerHost }
	client, err := flags.client(t, 0, typed, nil)
	if err != nil {
		return nil, err
	}
	return download.New(client, 0), nil
}

func (a *auditFlags) listed(ctx context.Context, t *term.Terminal, downloads *download.Client) ([]string, error) {
	if a.list == "" {
		if a.listBase != "" {
			return nil, term.Errorf("--inputs-base is about the names in a list of inputs").Hint("give the list too: --inputs FILE")
		}
		return nil, nil
	}
	base := a.listBase
	var list io.Reader
	if audit.IsURL(a.list) {
		body := downloads.File(a.list, false).Open(ctx)
		defer body.Close()
		list = body
		if base == "" {
			base = audit.ListBase(a.list)
		}
	} else {
		file, err := openInput(t, a.list, "reading names of inputs from the terminal; Ctrl-D ends them")
		if err != nil {
			return nil, err
		}
		defer file.close()
		list = file
		if base == "" && a.list != "-" {
			base = filepath.Dir(a.list)
		}
	}
	inputs, err := audit.ReadInputs(list, base)
	if err != nil {
		return nil, term.Prefixed(term.Source(a.list)+": ", err)
	}
	return inputs, nil
}

// checkInputs returns an error for flags that do not suit the inputs.
func (a *auditFlags) checkInputs(in *audit.Inputs) error {
	ofFiles := []string{"policy", notFoundFlag, "dialect", "lint", "urls", "exact"} // flags without an effect on tables
	given := slices.IndexFunc(ofFiles, a.flags.Changed)
	switch isWritten := len(a.out)+len(a.crawlersOut) > 0 || a.bodiesOut != ""; {
	case len(in.Order) == 0:
		return term.Errorf("there is nothing to audit").Hint(`name a folder or an archive, or give --hosts; see "robots audit --help"`)
	case isWritten && len(in.Tables) > 0:
		return term.Errorf("--out, --crawlers-out and --bodies-out do not write the rows of tables again").Hint("count the tables without it, or join them in DuckDB")
	case given >= 0 && len(in.Sources) == 0:
		return term.Errorf("--%s is about files, but there are only tables of earlier audits", ofFiles[given]).Hint("audit the files again with it")
	case a.shard.Count > 0 && (len(in.Order) > 1 || len(in.Tables) > 0):
		return term.Errorf("a shard has only a part of the sites, so crawls cannot be compared").Hint("audit each shard of a crawl with --crawlers-out, then compare the tables: robots audit 2025=a.parquet 2025=b.parquet 2026=c.parquet")
	case len(in.Order) > 1 && slices.Contains(in.Order, ""):
		return term.Errorf("some inputs have a label, and others have none: which crawl are they?").Hint("give each input a label: robots audit 2025=old/ 2026=new.parquet")
	case len(a.changesOut) > 0 && len(in.Order) < 2:
		return term.Errorf("--changes-out compares crawls, but there is only one").Hint("give the inputs of each crawl a label: robots audit 2025=old.parquet 2026=new.parquet")
	}
	return nil
}

const noteOfHosts = "reading hosts from the terminal; Ctrl-D ends them"

// readHostNames reads a table with the name of a file and its host in each row.
func readHostNames(t *term.Terminal, name string) (map[string]string, error) {
	list, err := openInput(t, name, noteOfHosts)
	if err != nil {
		return nil, err
	}
	defer list.close()
	hosts, err := audit.ReadHostNames(list)
	if err != nil {
		return nil, term.Errorf("cannot read %q: %v", name, err).Hint("each row has a file and its host: a.txt,shop.example")
	}
	return hosts, nil
}

func names(in *audit.Inputs) (names []string) {
	for _, source := range in.Sources {
		names = append(names, source.Name())
	}
	for _, table := range in.Tables {
		names = append(names, table.Name)
	}
	return names
}
