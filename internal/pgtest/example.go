package pgtest

import (
	"context"
	"log"
	"slices"
	"testing"
)

// Example is what an Example function hands to [New] and to others that want a test:
//
//	t := &pgtest.Example{}
//	defer t.End()
//
// Whatever fails ends the program.
type Example struct {
	testing.TB
	cleanups []func()
}

// End does what is done at the end of a test.
func (e *Example) End() {
	for _, cleanup := range slices.Backward(e.cleanups) {
		cleanup()
	}
}

func (*Example) Helper()                      {}
func (*Example) Context() context.Context     { return context.Background() }
func (e *Example) Cleanup(cleanup func())     { e.cleanups = append(e.cleanups, cleanup) }
func (*Example) Error(arguments ...any)       { log.Fatal(arguments...) }
func (*Example) Errorf(f string, args ...any) { log.Fatalf(f, args...) }
func (*Example) Fatal(arguments ...any)       { log.Fatal(arguments...) }
func (*Example) Fatalf(f string, args ...any) { log.Fatalf(f, args...) }
