package repository

import (
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sourceFile is a Go file with its comments.
type sourceFile struct {
	folder, name string
	syntax       *ast.File
}

// goFiles parses the Go files of all modules, tests too.
func goFiles(t *testing.T) (files []sourceFile) {
	t.Helper()
	eachFile(t, ".", func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		files = append(files, sourceFile{path.Dir(name), name, parsed(t, name)})
		return nil
	})
	return files
}

var (
	firstWord = regexp.MustCompile(`^[A-Za-z_]\w*`)
	// nameAndVerb is the beginning of a sentence about a name, not about a word that is one too.
	nameAndVerb = regexp.MustCompile(`^\w+ (?:are|have|\w+s) `)
	// writtenName is a word that only programs contain: a capital letter follows a small one.
	writtenName = regexp.MustCompile(`[A-Za-z_][\w]*[a-z0-9][A-Z]\w*`)
	// docLink is a link to a name of the package itself.
	docLink = regexp.MustCompile(`\[\*?([A-Z][a-z]\w*)(?:\.\w+)?\]`)
	// fileName is the name of a source, maybe with its folders.
	fileName = regexp.MustCompile(`[\w./-]+\.(?:go|ts|mjs|txtar)\b`)
)

// TestNames checks the names in comments and documents: after a renaming or a removal they are
// those of nothing.
func TestNames(t *testing.T) {
	t.Chdir(root)
	files := goFiles(t)
	t.Run("beginnings", func(t *testing.T) { checkBeginnings(t, files) })
	t.Run("mentions", func(t *testing.T) { checkMentions(t, files) })
}

// TestNamesOfFlags: in cmd/robots, what defines flags is a struct whose name ends in Flags.
func TestNamesOfFlags(t *testing.T) {
	t.Chdir(root)
	found := 0
	for _, file := range goFiles(t) {
		if file.folder != "cmd/robots" {
			continue
		}
		for _, d := range file.syntax.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !strings.HasPrefix(f.Name.Name, "define") {
				continue
			}
			found++
			if pointed, ok := f.Recv.List[0].Type.(*ast.StarExpr); !ok || !strings.HasSuffix(pointed.X.(*ast.Ident).Name, "Flags") {
				t.Errorf("%s: %s defines flags of a type whose name does not end in Flags", file.name, f.Name.Name)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d methods define flags", found)
	}
}

// checkBeginnings checks that the comment of a declaration begins with its name, if it begins
// with a name, and that doc links are of names in the package, or in another one.
func checkBeginnings(t *testing.T, files []sourceFile) {
	declaredIn := map[string]map[string]bool{}
	for _, file := range files {
		names := declaredIn[file.folder]
		if names == nil {
			names = map[string]bool{}
			declaredIn[file.folder] = names
		}
		for _, decl := range file.syntax.Decls {
			for _, name := range namesOf(decl) {
				names[name] = true
			}
		}
	}
	for _, file := range files {
		for _, group := range file.syntax.Comments {
			if strings.HasSuffix(file.name, "_test.go") {
				break // has no documentation
			}
			for _, link := range docLink.FindAllStringSubmatch(group.Text(), -1) {
				if !declaredIn[file.folder][link[1]] {
					t.Errorf("%s: the package has no %s, to which %s is a link", file.name, link[1], link[0])
				}
			}
		}
		check := func(doc *ast.CommentGroup, names ...string) {
			if doc == nil {
				return
			}
			word := firstWord.FindString(doc.Text())
			isName := word != "" && (word[0] >= 'a' && word[0] <= 'z' || declaredIn[file.folder][word] && nameAndVerb.MatchString(doc.Text()))
			if testName.MatchString(names[0]) || strings.HasPrefix(names[0], "Benchmark") {
				isName = testName.MatchString(word) // theirs may begin with the name of what they test
			}
			if isName && !slices.Contains(names, word) && !strings.HasPrefix(doc.List[0].Text, "//go:") {
				t.Errorf("%s: the comment of %s begins with %s", file.name, strings.Join(names, ", "), word)
			}
		}
		for _, decl := range file.syntax.Decls {
			check(docOf(decl), namesOf(decl)...)
			if group, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range group.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						check(spec.Doc, spec.Name.Name)
					case *ast.ValueSpec:
						check(spec.Doc, namesOf(&ast.GenDecl{Specs: []ast.Spec{spec}})...)
					}
				}
			}
		}
	}
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return decl.Doc
	case *ast.GenDecl:
		if decl.Tok != token.IMPORT {
			return decl.Doc
		}
	}
	return nil
}

// namesOf returns the names that a declaration declares, a method's without its type.
func namesOf(decl ast.Decl) (names []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return []string{decl.Name.Name}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// checkMentions checks that the names of code in comments and, in backquotes, in documents exist.
func checkMentions(t *testing.T, files []sourceFile) {
	known, names := knownNames(t, files)
	report := func(in, name string) { t.Errorf("%s: nothing has the name %s", in, name) }
	for _, file := range files {
		for _, group := range file.syntax.Comments {
			text := group.Text()
			for _, at := range writtenName.FindAllStringIndex(text, -1) {
				name := text[at[0]:at[1]]
				if !known[name] && !strings.HasSuffix(text[:at[0]], ".") { // filepath.EvalSymlinks
					report(file.name, name)
				}
			}
			for _, name := range fileName.FindAllString(text, -1) {
				if !names[path.Base(name)] {
					report(file.name, name)
				}
			}
		}
	}
	eachFile(t, ".", func(name string) error {
		if path.Ext(name) != ".md" || strings.Contains(name, "CHANGELOG") {
			return nil
		}
		for _, line := range proseLines(readFile(t, name)) {
			for _, span := range codeSpan.FindAllString(line, -1) {
				for _, word := range writtenName.FindAllString(span, -1) {
					if !known[word] {
						report(name, word)
					}
				}
				for _, file := range fileName.FindAllString(span, -1) {
					if !names[path.Base(file)] {
						report(name, file)
					}
				}
			}
		}
		return nil
	})
}

// foreignNames are names in other programs and texts.
var foreignNames = []string{
	"MathML", "DeviantArt", "TeamCity",
	"DiagnosticSeverity", "TextDocumentItem", "CompletionItemKind", "SymbolKind", "ErrorCodes", // Language Server Protocol
	"MethodByName", "PacketConn", "EvalSymlinks", "DefaultRegisterer", "LimitRule", "RandomDelay", "CacheDir", // reflect, prometheus, colly
	"newNAME", // how a subcommand is added
}

// knownNames returns the words of all sources outside of comments, and the names of all files.
func knownNames(t *testing.T, sources []sourceFile) (words, files map[string]bool) {
	words, files = map[string]bool{}, map[string]bool{}
	for _, name := range foreignNames {
		words[name] = true
	}
	add := func(text string) {
		for _, word := range writtenName.FindAllString(text, -1) {
			words[word] = true
		}
	}
	for _, file := range sources {
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Comment, *ast.CommentGroup:
				return false
			case *ast.Ident:
				words[n.Name] = true
			case *ast.BasicLit:
				add(n.Value)
			}
			return true
		})
	}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{".git", "node_modules"}, entry.Name()) {
			return filepath.SkipDir
		}
		files[path.Base(filepath.ToSlash(name))] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	eachFile(t, ".", func(name string) error {
		switch path.Ext(name) {
		case ".md", ".go", ".wasm", ".gz", ".br", ".png", ".parquet":
			return nil
		}
		add(readFile(t, name))
		return nil
	})
	return words, files
}
