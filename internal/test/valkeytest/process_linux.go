package valkeytest

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starts returns a channel to the one thread that starts all processes. They must end
// with the test, even if it is killed. On Linux the parent of a process is a thread,
// so a thread that the Go runtime might end would end the servers too.
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

// reservePort binds a port of all addresses without listening. The kernel then does not
// choose it for other sockets, but a server with SO_REUSEADDR can listen on it.
func reservePort() (port int, release func(), err error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, err
	}
	release = func() { _ = syscall.Close(socket) } // nothing was written to it
	err = errors.Join(
		syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(socket, &syscall.SockaddrInet4{}),
	)
	address, nameErr := syscall.Getsockname(socket)
	if err := errors.Join(err, nameErr); err != nil {
		release()
		return 0, nil, err
	}
	return address.(*syscall.SockaddrInet4).Port, release, nil
}
