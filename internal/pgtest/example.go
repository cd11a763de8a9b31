package pgtest

import (
	"context"
	"log"
	"slices"
	"testing"
)

// Example replaces a test in an Example function, which passes it to [New] and other functions:
//
//	t := &pgtest.Example{}
//	defer t.End()
//
// A failure ends the program.
type Example struct{ stand }

// End runs the cleanups of a test.
func (e *Example) End() {
	for _, cleanup := range slices.Backward(e.cleanups) {
		cleanup()
	}
}

// stand has the methods of a test that an example needs. Its other methods are nil.
type stand struct {
	testing.TB
	cleanups []func()
}

func (*stand) Helper()                      {}
func (*stand) Context() context.Context     { return context.Background() }
func (s *stand) Cleanup(cleanup func())     { s.cleanups = append(s.cleanups, cleanup) }
func (*stand) Error(arguments ...any)       { log.Fatal(arguments...) }
func (*stand) Errorf(f string, args ...any) { log.Fatalf(f, args...) }
func (*stand) Fatal(arguments ...any)       { log.Fatal(arguments...) }
func (*stand) Fatalf(f string, args ...any) { log.Fatalf(f, args...) }
