package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of times in /proc: USER_HZ is 100 on all systems that Go supports.
const tick = 10 * time.Millisecond

// usageOf returns what a process has used, or zeros if it has ended.
func usageOf(pid int) (u usage) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u
	}
	// The name of the program, in parentheses, can contain spaces.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, field := range fields[11:13] { // utime, stime
		n, _ := strconv.ParseInt(field, 10, 64)
		u.cpu += time.Duration(n) * tick
	}
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	kilobytes := func(key string) (n int64) {
		_, value, _ := strings.Cut(string(status), "\n"+key+":")
		_, _ = fmt.Sscan(value, &n) // a process that has ended has none
		return n
	}
	u.resident, u.peak = kilobytes("VmRSS")<<10, kilobytes("VmHWM")<<10
	return u
}

// listenLoopback listens on a port of all addresses of loopback, and on no other interface.
func listenLoopback() (*net.TCPListener, error) {
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		failed := c.Control(func(fd uintptr) { err = syscall.BindToDevice(int(fd), "lo") })
		return errors.Join(failed, err)
	}}
	l, err := config.Listen(context.Background(), "tcp4", "0.0.0.0:0")
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil
}

// endWithParent lets a process end with the thread that starts it, and so with this process
// even if that is killed.
func endWithParent(process *exec.Cmd) {
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
