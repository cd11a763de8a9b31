// Package gotest runs the Go tests of several modules for people who watch: one line of progress now and then,
// one line for each package that fails, and at the end the failures with their reasons.
package gotest
