// Package gotest runs the Go tests of several modules and prints their progress for people: a line now and then, a line for
// each package that fails, and at the end the failures with their reasons.
package gotest
