//go:build unix

package disk_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process, which says more than the
// clock on a machine that does other things too.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
