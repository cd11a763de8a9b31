package cli

import (
	"net"
	"os"
	"strconv"
)

// listenSystemd is the value of --listen for the socket of a unit. systemd opens the socket, so it stays open while the server
// restarts.
const listenSystemd = "systemd"

// firstSocket is the number of the first descriptor that systemd passes.
const firstSocket = 3

// inheritedListener returns the socket that systemd has passed.
func (a *app) inheritedListener() (net.Listener, error) {
	missing := &problem{
		Exit: exitUsage, Message: "systemd has passed no socket",
		Hint: "--listen systemd is for a service with a unit of kind socket, such as tasker-serve.socket.",
	}
	if pid := a.Getenv("LISTEN_PID"); pid != strconv.Itoa(os.Getpid()) {
		return nil, missing
	}
	if count, err := strconv.Atoi(a.Getenv("LISTEN_FDS")); err != nil || count != 1 {
		missing.Message = "systemd has to pass one socket, not " + quote(a.Getenv("LISTEN_FDS"))
		return nil, missing
	}
	file := os.NewFile(firstSocket, "systemd")
	defer file.Close() //nolint:errcheck // The listener has a copy.
	listener, err := net.FileListener(file)
	if err != nil {
		missing.Detail = err.Error()
		return nil, missing
	}
	return listener, nil
}

// addressOf returns the address of a listener in the form of --listen. A Unix socket counts as loopback.
func addressOf(listener net.Listener) string {
	if listener.Addr().Network() == "unix" {
		return "127.0.0.1:0"
	}
	return listener.Addr().String()
}

// closeInherited closes the socket of systemd, if there is one.
func (s serving) closeInherited() error {
	if s.inherited == nil {
		return nil
	}
	return s.inherited.Close()
}
