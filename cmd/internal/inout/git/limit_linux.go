package git

import (
	"syscall"
	"unsafe"
)

// limitMemory limits what a process can allocate. It sets the limit after the start, because this process would have
// it too before; git needs longer to allocate so much. Without the right to, there is no limit.
func limitMemory(pid int) {
	limit := syscall.Rlimit{Cur: Memory, Max: Memory}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_DATA,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
}
