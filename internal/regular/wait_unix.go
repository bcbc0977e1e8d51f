//go:build unix

package regular

import "syscall"

const noWait = syscall.O_NONBLOCK
