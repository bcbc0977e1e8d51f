package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
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
	listed, err := a.listed(t)
	if err != nil {
		return nil, 0, err
	}
	in, errs := audit.Open(append(listed, args...), t.In, config)
	for _, err := range errs {
		t.PrintError(err)
	}
	if a.hosts != "" {
		clients, err := a.open(ctx, t, a.limit, newTyped())
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

func (a *auditFlags) listed(t *term.Terminal) ([]string, error) {
	if a.list == "" {
		if a.listBase != "" {
			return nil, term.Errorf("--inputs-base is about the names in a list of inputs").Hint("give the list too: --inputs FILE")
		}
		return nil, nil
	}
	list, err := openInput(t, a.list, "reading names of inputs from the terminal; Ctrl-D ends them")
	if err != nil {
		return nil, err
	}
	defer list.close()
	base := a.listBase
	if base == "" && a.list != "-" {
		base = filepath.Dir(a.list)
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
