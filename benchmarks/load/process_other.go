//go:build !linux

package main

import (
	"errors"
	"net"
	"os/exec"
)

// usageOf returns zeros: processor time and memory are measured on Linux only.
func usageOf(int) usage { return usage{} }

// listenLoopback fails: only Linux has all addresses in 127.0.0.0/8.
func listenLoopback() (*net.TCPListener, error) { return nil, errors.ErrUnsupported }

// endWithParent does nothing: only Linux can end a process with its parent.
func endWithParent(*exec.Cmd) {}
