// A name server that never answers, and prints what it is asked.
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	conn, err := net.ListenPacket("udp", os.Args[1])
	if err != nil {
		panic(err)
	}
	for b := make([]byte, 1500); ; {
		n, _, err := conn.ReadFrom(b)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q\n", b[:n])
	}
}
