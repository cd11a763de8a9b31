package pgserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

const (
	dockerSocket = "/var/run/docker.sock"

	// removedWithin bounds the time in which the container is removed. It is longer than the bound in dockerpg.
	removedWithin = 150 * time.Second
)

// findDocker returns an error with the reason why Docker cannot be used. It does not call the daemon.
func findDocker() error {
	if os.Getenv("DOCKER_HOST") == "" {
		if _, err := os.Stat(dockerSocket); err != nil {
			return fmt.Errorf("docker: DOCKER_HOST is not set and there is no %s", dockerSocket)
		}
	}
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("docker: the go command, which builds the client, is not on PATH")
	}
	return nil
}

// startContainer starts the nested module dockerpg, which owns the container
// and removes it when its standard input is closed.
func startContainer(ctx context.Context) (*Server, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	args := []string{"run", "-C", filepath.Join(root, "internal", "pgtest", "dockerpg"), "."}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0") // as tools/setup.sh compiles it
	cmd.Stderr = os.Stderr
	// Ctrl-C must reach only the tests, since the container ends after them.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}

	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}

	said := say(ctx, "starting PostgreSQL in Docker", "; the first time its image is built")
	url, err := readURL(ctx, stdin, stdout)
	said()
	stop := func() error { return closeContainer(cmd, stdin) }
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start PostgreSQL in Docker: %w", err), stop())
	}
	return &Server{URL: url, Origin: "Docker container", stop: stop}, nil
}

// say reports the slow step now and then, until ctx ends or the returned function is called.
func say(ctx context.Context, what, why string) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var saying sync.WaitGroup
	saying.Go(func() {
		began, wait := time.Now(), 10*time.Second
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
				wait = 30 * time.Second
				fmt.Fprintf(os.Stderr, "pgtest: %s, %s%s\n", what, time.Since(began).Round(time.Second), why)
			}
		}
	})
	return func() {
		cancel()
		saying.Wait()
	}
}

func readURL(ctx context.Context, stdin io.Closer, stdout io.Reader) (string, error) {
	// The child ends when its stdin is closed. stdout ends with the child.
	cancel := context.AfterFunc(ctx, func() { _ = stdin.Close() })
	defer cancel()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if errors.Is(err, io.EOF) {
		return "", errors.New("dockerpg ended before it had a database")
	}
	return strings.TrimSpace(line), err
}

func closeContainer(cmd *exec.Cmd, stdin io.Closer) error {
	_ = stdin.Close() // closed already if the start was given up
	defer say(context.Background(), "removing the container", "")()
	overdue := time.AfterFunc(removedWithin, func() { _ = cmd.Process.Kill() })
	defer overdue.Stop()
	return cmd.Wait()
}
