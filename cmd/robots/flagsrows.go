package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/rows"
)

type formatFlags struct {
	format      table.Format
	json, excel bool
	flags       *pflag.FlagSet
}

func (f *formatFlags) define(cmd *cobra.Command) { f.defineWith(cmd) }

// defineWith is define for a command that has other formats too.
func (f *formatFlags) defineWith(cmd *cobra.Command, others ...string) {
	f.format, f.flags = table.Text, cmd.Flags()
	all := append(table.Names(), others...)
	names := strings.Join(all, ", ")
	cmd.Flags().Var(oneOfWords(&f.format, all, "the formats are "+names), "format", "print `FORMAT`: "+names)
	complete(cmd, "format", all)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, one object a line, as --format json")
	cmd.Flags().BoolVar(&f.excel, "excel", false, "print CSV for Excel, or TSV with --format tsv: with a byte order mark and CRLF")
}

// settle makes --json and --excel select their formats, unless flags contradict each
// other.
func (f *formatFlags) settle() error {
	switch given := f.flags.Changed("format"); {
	case f.json && given && f.format != table.JSON:
		return term.Errorf("--json means --format json, but --format %s is given", f.format).Hint("omit one of them")
	case f.json && f.excel:
		return term.Errorf("--json and --excel cannot both be printed").Hint("omit one of them")
	case f.json:
		f.format = table.JSON
	case f.excel && !given:
		f.format = table.CSV
	case f.excel && f.format != table.CSV && f.format != table.TSV:
		return term.Errorf("--excel has no effect on --format %s", f.format).Hint("--excel is for --format csv and --format tsv")
	}
	f.json = f.format == table.JSON
	return nil
}

// table returns the configuration of a table without columns.
func (f *formatFlags) table(t *term.Terminal) table.Config {
	columns, _ := t.Size()
	return table.Config{Format: f.format, Excel: f.excel, Palette: t.Palette(), Screen: columns}
}

// languageFlags select the language of letters and reports.
type languageFlags struct {
	language language.Language
	lang     *pflag.Flag
}

func (f *languageFlags) define(cmd *cobra.Command, usage string) {
	f.language = language.English
	names := strings.Join(language.Tags(), ", ")
	f.lang = cmd.Flags().VarPF(oneOfWords(&f.language, language.Tags(), "the languages are "+names), "lang", "", usage+" in `LANGUAGE`: "+names)
	complete(cmd, "lang", language.Tags())
}

// validate returns an error if the flag has no effect, because the format is in no language.
func (f *languageFlags) validate(format table.Format, has ...table.Format) error {
	if f.lang.Changed && !slices.Contains(has, format) {
		return term.Errorf("--lang has no effect on --format %s", format).Hint("--lang is for --format " + eitherOf(namesOf(has)))
	}
	return nil
}

type rowFlags struct {
	grid, decidedBy, words bool
	groupBy                string
}

func (f *rowFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.grid, "grid", false, "print a row for each URL and a column for each crawler, then totals")
	flags.BoolVar(&f.decidedBy, "lines", false, "in a --grid, show the deciding lines too")
	flags.BoolVar(&f.words, "words", false, "in a --grid on a terminal, print words instead of marks, for screen readers")
	defineChoice(cmd, &f.groupBy, "group-by", "count the URLs by `WHAT`: line (the deciding line), crawler, or site (each site and crawler)", byLine, byCrawler, bySite)
}

func (f *rowFlags) validate() error {
	switch {
	case f.grid && f.groupBy != "":
		return term.Errorf("--grid and --group-by cannot both be printed").Hint("omit one of them")
	case !f.grid && f.decidedBy:
		return term.Errorf("--lines has no effect without --grid").Hint("other output shows the deciding lines anyway")
	case !f.grid && f.words:
		return term.Errorf("--words has no effect without --grid").Hint("other output has words anyway")
	}
	return nil
}

// rows returns the writer for the answers of an inquiry, unless output is quiet.
// explain is set for answers with their reasons.
func (in *inquiry) rows(t *term.Terminal, output *outputFlags, flags rowFlags, explain bool,
	counted func(v *answer.Visit, crawler int, verdict wire.Verdict, line int)) rows.Writer {
	c := rows.Config{
		Out: in.out, Format: output.format, Files: in.Files, Only: output.only, Excel: output.excel, Counted: counted,
		Palette: t.Palette(), Words: flags.words, DecidedBy: flags.decidedBy,
	}
	for _, crawler := range in.Crawlers {
		c.Crawlers = append(c.Crawlers, crawler.In(in.Dialect))
	}
	c.Columns, c.Lines = t.Size()
	switch {
	case output.quiet:
		return rows.None(c)
	case explain:
		return rows.Explanations(c)
	case flags.grid:
		return rows.Grid(c)
	case flags.groupBy == byLine:
		return rows.LineCounts(c)
	case flags.groupBy == byCrawler:
		return rows.CrawlerCounts(c)
	case flags.groupBy == bySite:
		return rows.SiteCounts(c)
	default:
		return rows.Answers(c)
	}
}

var verdictNames = []string{string(wire.VerdictAllowed), string(wire.VerdictDisallowed), string(wire.VerdictUnknown)}

func (f *outputFlags) addVerdicts(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(verdictNames, name) {
			return errors.New("use allowed, disallowed or unknown, or several with commas")
		}
		f.only = append(f.only, wire.Verdict(name))
	}
	return nil
}

// The values of --group-by, which is "" for none.
const (
	byLine    = "line"
	byCrawler = "crawler"
	bySite    = "site"
)
