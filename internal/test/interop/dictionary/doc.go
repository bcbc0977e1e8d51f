// Package dictionary compares the linter's reader of Dictionaries with
// another one. It has no code of its own, and is a module of its own because
// importers of lint must not require the other reader.
package dictionary
