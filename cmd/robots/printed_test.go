package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestPrintedFiles: a command that prints a robots.txt itself gives programs its bytes, and other commands escape them:
// what SECURITY.md calls a vulnerability.
func TestPrintedFiles(t *testing.T) {
	const line = "Disallow: /a\x1b[31m\x07\u202e\xff"
	const text = "User-agent: *\n" + line + "\n"
	for args, isFile := range map[string]bool{
		"fmt -": true, "lint --fix -": true, "lint --fix=all -": true, "minimize -": true, "generate --no GPTBot --into -": true,
		"fmt --diff -": false, "lint -": false, "lint --fix --diff -": false, "lint --format github -": false, "overview -": false, "ai -": false,
		"explain --file - /a": false, "check --file - --agent \x1b[31m /a\x1b[31m": false, "diff - printed_test.go": false,
	} {
		var out, errs bytes.Buffer
		noVariables := func(string) string { return "" }
		run(context.Background(), strings.Fields(args), noVariables, strings.NewReader(text), &out, &errs)
		if hasLine := strings.Contains(out.String(), line+"\n"); hasLine != isFile {
			t.Errorf("robots %s prints %q", args, &out)
		}
		printed := errs.String()
		if !isFile {
			printed += out.String()
		}
		if strings.ContainsAny(printed, "\x1b\x07\u202e") {
			t.Errorf("robots %s prints %q", args, printed)
		}
	}
}
