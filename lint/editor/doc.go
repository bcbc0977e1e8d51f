// Package editor answers the questions of a text editor about a robots.txt:
// diagnostics with fixes, hover texts, completion, folding, symbols, colours, formatting,
// and what groups close. The page and the language server of the tool are built on it; this
// package has no protocol and no streams.
//
//	d := editor.New(body, editor.Config{Encoding: editor.UTF8})
//	for _, diagnostic := range d.Diagnostics() {
//		fmt.Println(diagnostic.Range.Start.Line, diagnostic.Message)
//	}
//
// # Positions
//
// Lines and characters count from 0, as in the Language Server Protocol. Characters are
// UTF-16 units or bytes; Config.Encoding selects one. Lines end at LF, CR and CRLF. A
// byte that is not UTF-8 is one character. A byte order mark is a character, because it
// is part of the text that an editor sends.
//
// # Text
//
// Hover texts are Markdown. Names, titles and messages are plain text. Text from the
// body can contain any characters; it is valid UTF-8 in all results.
//
// # Hostile input
//
// Every method accepts any body and any position. Positions outside of the body are
// moved to the nearest one inside.
package editor
