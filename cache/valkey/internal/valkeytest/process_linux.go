package valkeytest

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starts hands processes to the one thread that starts all of them. They are to
// die with the test, also when it is killed, and for Linux the parent is the
// thread: one that the runtime may end would take servers with it.
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

func startProcess(process *exec.Cmd) error {
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	starts() <- func() { started <- process.Start() }
	return <-started
}

func stopProcess(p *os.Process) error     { return p.Signal(syscall.SIGSTOP) }
func continueProcess(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
