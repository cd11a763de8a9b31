// Command dockerpg runs a throw-away PostgreSQL in Docker.
//
//	dockerpg [options of postgres …]
//
// It builds the image from ../Dockerfile, starts a container, prints the URL of its database "postgres" as one line,
// and removes the container when its standard input is closed. A parent process that holds the other end of the pipe
// need not remove the container. Its end closes the pipe, even if it is killed.
//
// The command is a module of its own, so that testcontainers-go is not a dependency of pgtasker's users. Package pgserver
// starts it.
//
// PGTASKER_TEST_BASE_IMAGE names a base image in place of Debian's own image.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // this goroutine ends with the process
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := serve(ctx, os.Args[1:], os.Getenv("PGTASKER_TEST_BASE_IMAGE")); err != nil {
		fmt.Fprintln(os.Stderr, "dockerpg:", err)
		os.Exit(1)
	}
}

// serve runs the container until ctx is done.
func serve(ctx context.Context, options []string, base string) (err error) {
	database, err := start(ctx, options, base)
	if err != nil {
		if ctx.Err() != nil {
			return nil // no caller waits for it
		}
		return err
	}
	defer func() {
		if removed := database.remove(); err == nil {
			err = removed
		}
	}()
	if _, err := fmt.Println(database.url); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
