package repository

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// notices is the file with the licences of what the tool contains. Archives, packages and
// images have a copy.
const notices = "cmd/THIRD_PARTY_NOTICES"

// linkedFor lists the systems of the binaries, and what else is in them: the page's
// WebAssembly.
var linkedFor = []struct{ system, architecture, program string }{
	{"linux", "amd64", "./robots"}, {"linux", "arm64", "./robots"},
	{"darwin", "amd64", "./robots"}, {"darwin", "arm64", "./robots"},
	{"windows", "amd64", "./robots"}, {"windows", "arm64", "./robots"},
	{"wasip1", "wasm", "./robots-wasm"},
}

// licences are the kinds that may be linked, each with words that only its text has.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0, January 2004"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
	{"BSD", "Redistribution and use in source and binary forms, with or without modification, are permitted"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose with or without fee"},
	{"Unlicense", "This is free and unencumbered software released into the public domain"},
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)
	whitespace  = regexp.MustCompile(`(\s|//)+`) // and marks of comments
)

// linkedModule is a module of which packages are linked.
type linkedModule struct {
	path, version, folder string
	files                 map[string]bool // its licence files, of its root and of the folders of these packages
}

// linkedModules returns those of other projects, by path.
func linkedModules(t *testing.T) map[string]*linkedModule {
	t.Helper()
	importsOfModules(t) // opens the sources, so that go test does not repeat an outdated result
	modfile := aloneModfile(t)
	modules := map[string]*linkedModule{}
	for _, target := range linkedFor {
		list := exec.Command("go", "list", "-modfile="+modfile, "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}", target.program)
		list.Dir = "cmd"
		list.Env = append(os.Environ(), "GOWORK=off", "GOOS="+target.system, "GOARCH="+target.architecture, "CGO_ENABLED=0")
		if strings.HasSuffix(target.program, "-wasm") {
			list.Args = slices.Insert(list.Args, 2, "-tags=full")
		}
		list.Stderr = os.Stderr
		output, err := list.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for line := range strings.Lines(string(output)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) != 4 {
				continue
			}
			if _, ours := relative(fields[0]); ours {
				continue
			}
			if modules[fields[0]] == nil {
				modules[fields[0]] = &linkedModule{fields[0], fields[1], fields[2], map[string]bool{}}
			}
			modules[fields[0]].addLicences(t, fields[3])
		}
	}
	return modules
}

// aloneModfile returns a go.mod for the module of the tool that takes our other modules
// from their folders. In the workspace, other modules raise the versions of what is linked.
func aloneModfile(t *testing.T) string {
	t.Helper()
	text := readFile(t, "cmd/go.mod")
	for line := range strings.Lines(readFile(t, "go.work")) {
		if found := replaceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); found != nil {
			folder, err := filepath.Abs(found[3])
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("replace %s %s => %s\n", found[1], found[2], folder)
		}
	}
	name := filepath.Join(t.TempDir(), "go.mod")
	for name, text := range map[string]string{name: text, strings.TrimSuffix(name, "mod") + "sum": readFile(t, "cmd/go.sum")} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// addLicences adds the licence files in a folder and in those above it.
func (m *linkedModule) addLicences(t *testing.T, folder string) {
	t.Helper()
	for ; strings.HasPrefix(folder, m.folder); folder = filepath.Dir(folder) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if licenceFile.MatchString(entry.Name()) && !entry.IsDir() && !strings.HasSuffix(entry.Name(), ".go") {
				m.files[filepath.Join(folder, entry.Name())] = true
			}
		}
	}
}

// kindsOf returns the kinds of licence in a text.
func kindsOf(text string) (kinds []string) {
	text = whitespace.ReplaceAllString(text, " ")
	for _, licence := range licences {
		if strings.Contains(text, licence.words) && !slices.Contains(kinds, licence.name) {
			kinds = append(kinds, licence.name)
		}
	}
	return kinds
}

// TestNotices checks that cmd/THIRD_PARTY_NOTICES has the licences of all that the tool
// links, on every system for which binaries are released, and that each is of a known kind.
func TestNotices(t *testing.T) {
	t.Chdir(root)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := strings.TrimSpace(string(goroot))
	modules := linkedModules(t)
	// The name is sorted before those of all modules.
	modules["Go"] = &linkedModule{"Go, its standard library and runtime", "", folder, map[string]bool{filepath.Join(folder, "LICENSE"): true}}
	var table, texts strings.Builder
	under := map[string][]string{} // what each text is the licence of
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		var kinds []string
		for _, name := range slices.Sorted(maps.Keys(m.files)) {
			text := strings.TrimSpace(strings.ReplaceAll(readFile(t, name), "\r\n", "\n"))
			for _, kind := range kindsOf(text) {
				if !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
			within := filepath.ToSlash(strings.TrimPrefix(name, m.folder+string(filepath.Separator)))
			under[text] = append(under[text], m.path+": "+within)
		}
		if len(kinds) == 0 {
			t.Errorf("%s has no licence that the table licences knows, in %q: may the tool link it?", m.path, slices.Collect(maps.Keys(m.files)))
		}
		fmt.Fprintf(&table, "%s: %s\n", strings.TrimSpace(m.path+" "+m.version), strings.Join(kinds, ", "))
	}
	for _, text := range slices.SortedFunc(maps.Keys(under),
		func(a, b string) int { return cmp.Compare(under[a][0], under[b][0]) }) {
		fmt.Fprintf(&texts, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 80), strings.Join(under[text], "\n"), text)
	}
	want := "robots contains code of these projects. The licences of the page's packages are in\ncmd/internal/frontends/page/dist/LICENSES.txt, which the program serves as /LICENSES.txt.\n\n" +
		table.String() + texts.String()
	golden.Check(t, *update, notices, []byte(want), "go generate ./internal/test/repository")
}
