package valkeytest

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starts returns a channel to the one thread that starts all processes. They must end
// with the test, even if it is killed. On Linux the parent of a process is a thread,
// so a thread that the Go runtime may end would end the servers too.
var starts = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})

// StartProcess starts a process that ends with the test, even if the test is killed. (That
// is so on Linux only.)
func StartProcess(process *exec.Cmd) error {
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	starts() <- func() { started <- process.Start() }
	return <-started
}

func stopProcess(p *os.Process) error     { return p.Signal(syscall.SIGSTOP) }
func continueProcess(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
