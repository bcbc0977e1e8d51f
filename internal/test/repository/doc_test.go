// Package repository has only tests, of the repository itself: which packages import
// which, the modules, the links in documents, the README, the exported API, the notices
// of licences, and whether docs/spec.md is complete.
package repository

// root is where the tests run. Each changes to it itself, so that "go test" sees which
// files it reads and does not repeat an outdated result.
const root = "../../.."
