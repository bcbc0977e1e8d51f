//go:build !unix

package sqlitefile

import "os"

const noFollow = 0

// isOwn always returns true: without Unix permissions, the access lists of the
// directory decide who may create files in it.
func isOwn(os.FileInfo) bool { return true }
