//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

// lockFolder locks nothing here, so that nothing is removed that another process might use.
func lockFolder(string) (unlock func(), isFree bool) { return func() {}, false }
