//go:build !linux

package valkeytest

import (
	"errors"
	"net"
	"os"
	"os/exec"
)

var errLinuxOnly = errors.New("valkeytest: stopping processes is supported only on Linux")

// StartProcess starts a process.
func StartProcess(process *exec.Cmd) error { return process.Start() }
func stopProcess(*os.Process) error        { return errLinuxOnly }
func continueProcess(*os.Process) error    { return errLinuxOnly }

// reservePort returns a port that is free now.
func reservePort() (port int, release func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	return listener.Addr().(*net.TCPAddr).Port, func() {}, listener.Close()
}
