//go:build !unix

package localpg

import (
	"context"
	"errors"
)

// Server is a server that [Start] has started.
type Server struct {
	URL     string
	Version string
	Folder  string
	Scratch bool
	Account string
	Ended   <-chan struct{}
}

// Start returns an error: this system has no Unix sockets that PostgreSQL protects by a directory's mode.
func Start(context.Context, Config) (*Server, error) {
	return nil, &UserError{
		"tasker starts no PostgreSQL of its own on this system",
		"Start one, or one in WSL, and name it with --database.",
	}
}

// Stop returns an error: there is nothing to stop.
func (s *Server) Stop() error { return errors.ErrUnsupported }
