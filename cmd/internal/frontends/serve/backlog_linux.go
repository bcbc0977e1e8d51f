package serve

import (
	"net"
	"os"
	"syscall"
)

// endListening makes the system refuse further connections, and returns those that are
// established but not yet accepted. If the listener was only closed, the system would
// reset them, with the requests that clients have sent on them.
func endListening(l net.Listener) (established []net.Conn) {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	var accepted []int
	// Only a microsecond passes between the last accept and shutdown. Close would wait
	// until the goroutine that accepts has run.
	_ = raw.Control(func(fd uintptr) { // its error is that the listener is closed
		for {
			conn, _, err := syscall.Accept4(int(fd), syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
			if err == syscall.EINTR || err == syscall.ECONNABORTED {
				continue
			}
			if err != nil {
				_ = syscall.Shutdown(int(fd), syscall.SHUT_RD)
				return
			}
			accepted = append(accepted, conn)
		}
	})
	for _, fd := range accepted {
		file := os.NewFile(uintptr(fd), "connection")
		if conn, err := net.FileConn(file); err == nil {
			established = append(established, conn)
		}
		_ = file.Close() // FileConn has made a copy
	}
	return established
}
