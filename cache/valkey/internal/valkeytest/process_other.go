//go:build !linux

package valkeytest

import (
	"errors"
	"os"
	"os/exec"
)

var errLinuxOnly = errors.New("valkeytest: stopping processes is supported only on Linux")

// StartProcess starts a process.
func StartProcess(process *exec.Cmd) error { return process.Start() }
func stopProcess(*os.Process) error        { return errLinuxOnly }
func continueProcess(*os.Process) error    { return errLinuxOnly }
