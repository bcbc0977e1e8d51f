package main

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

func (a *auditFlags) printSchema(t *term.Terminal) error {
	switch a.schema {
	case "datapackage":
		return a.printPackage(t)
	case "table", "markdown":
		return printTables(t, a.schema, audit.Schema())
	}
	return term.Errorf("--schema=%q is not known", a.schema).Hint("choose table, markdown or datapackage")
}

// printTables prints the columns of tables.
func printTables(t *term.Terminal, format string, tables []audit.TableSchema) error {
	as := map[string]table.Format{"table": table.Text, "markdown": table.Markdown}[format]
	if as == "" {
		return term.Errorf("--schema=%q is not known", format).Hint("choose table or markdown")
	}
	return t.Print(func(out *bufio.Writer) error {
		screen, _ := t.Size()
		w := table.New(out, table.Config{Format: as, Screen: screen, Columns: []table.Column{
			{Name: "table"}, {Name: "column"}, {Name: "type"}, {Name: "null"}, {Name: "meaning"},
		}})
		for _, rows := range tables {
			for _, c := range rows.Columns {
				// the output keeps its error
				_ = w.Row(rows.Name, c.Name, c.Type, map[bool]string{true: "yes"}[c.Null], c.Doc)
			}
		}
		return w.Flush()
	})
}

// dataPackage is a data package of Frictionless Data, version 1. [Data Package 1]
type dataPackage struct {
	Name      string         `json:"name"`
	Resources []dataResource `json:"resources"`
}

type dataResource struct {
	Name   string     `json:"name"`
	Path   string     `json:"path"`
	Format string     `json:"format"`
	Schema dataSchema `json:"schema"`
}

type dataSchema struct {
	Fields        []dataField `json:"fields"`
	MissingValues []string    `json:"missingValues"`
}

type dataField struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Format      string          `json:"format,omitempty"`
	Description string          `json:"description"`
	Constraints map[string]bool `json:"constraints,omitempty"`
}

// printPackage prints tables as a data package: the tables that the flags select, or
// all of them.
func (a *auditFlags) printPackage(t *term.Terminal) error {
	paths := map[string][]string{"files": a.out, "crawlers": a.crawlersOut, "changes": a.changesOut,
		"sites": a.sitesOut, "names": a.namesOut}
	if a.bodiesOut != "" {
		paths["bodies"] = []string{a.bodiesOut}
	}
	all := len(a.rowOutputs()) == 0
	result := dataPackage{Name: "robots-audit", Resources: []dataResource{}}
	for _, rows := range audit.Schema() {
		if all {
			paths[rows.Name] = []string{rows.Name + ".csv"}
		}
		for _, path := range paths[rows.Name] {
			format := strings.TrimPrefix(filepath.Ext(path), ".")
			result.Resources = append(result.Resources,
				dataResource{resourceName(rows.Name, path), filepath.ToSlash(path), format,
					dataSchema{fieldsOf(rows.Columns, format), []string{""}}})
		}
	}
	text, err := json.MarshalIndent(result, "", "  ")
	if err == nil {
		_, err = t.Out.Write(append(text, '\n'))
	}
	return term.WriteError(err)
}

// resourceName returns the name of a table in a data package. The name is unique there and
// consists of the permitted characters. [Data Package 1, name]
func resourceName(table, path string) string {
	return table + "-" + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(filepath.ToSlash(path)))
}

// fieldsOf returns the columns of a table in a format. Texts have bytes in hexadecimal, which
// is not the format binary of a data package.
func fieldsOf(columns []audit.Column, format string) (fields []dataField) {
	for _, c := range columns {
		field := dataField{Name: c.Name, Type: c.Type, Description: c.Doc}
		switch c.Type {
		case "time":
			field.Type = "datetime"
		case "bytes":
			field.Type = "string"
			if format == "parquet" {
				field.Format = "binary"
			}
		}
		if !c.Null {
			field.Constraints = map[string]bool{"required": c.Type != "string"}
		}
		fields = append(fields, field)
	}
	return fields
}
