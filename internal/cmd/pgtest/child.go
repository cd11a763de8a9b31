package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// command is not killed when ctx ends. A signal ends ctx, and the child process gets the same signal and may answer
// it in its own way.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...)
}

// runChild runs cmd with this process's standard streams, unless cmd has an output of its own. It returns the exit
// code as a shell would. Signals for this process are passed on, except signals that the terminal has already sent to
// both processes.
func runChild(cmd *exec.Cmd, fromTerminal ...os.Signal) (int, error) {
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	if cmd.Stdout == nil {
		cmd.Stdout = os.Stdout
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	if err := cmd.Start(); err != nil {
		return 127, err
	}
	ended := make(chan struct{})
	var passing sync.WaitGroup
	passing.Go(func() { pass(cmd.Process, signals, ended, fromTerminal) })
	err := cmd.Wait()
	close(ended)
	passing.Wait()
	return exitCode(cmd, err)
}

func pass(child *os.Process, signals <-chan os.Signal, ended <-chan struct{}, except []os.Signal) {
	for {
		select {
		case <-ended:
			return
		case received := <-signals:
			if !slices.Contains(except, received) {
				_ = child.Signal(received) // it may have ended just now
			}
		}
	}
}

func exitCode(cmd *exec.Cmd, err error) (int, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, fmt.Errorf("%s: %w", cmd.Path, err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}
