package pgtest

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Main is the TestMain of every package that uses [New] or [NewEmpty]. It runs
// the tests, stops the server if this process started one, fails the run if a
// goroutine is left, and exits. options are goleak's, for goroutines that a
// dependency never ends.
func Main(m *testing.M, options ...goleak.Option) {
	process.enter()
	goleak.VerifyTestMain(suite{m}, options...)
}

// suite stops the server between the tests and goleak's check.
type suite struct{ tests *testing.M }

func (s suite) Run() int {
	code := s.tests.Run()
	if err := process.leave(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest: stop the server:", err)
		return max(code, 1)
	}
	return code
}
