// Package sound finds errors that panic. A function that declares `var failed *Failure` and returns it as an error returns an
// error that is not nil, and whose methods have no value.
package sound

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Check calls the methods that an error's users call, for its text and its wrapped errors. If a call panics, Check returns an error
// with the panic's stack. It returns nil if the error is sound.
func Check(err error) (stack []byte, panicked error) {
	if err == nil {
		return nil, nil
	}
	defer func() {
		if value := recover(); value != nil {
			stack, panicked = debug.Stack(), fmt.Errorf("an error of type %T panicked: %v", err, value)
		}
	}()
	_ = err.Error()
	_ = errors.Is(err, errNone) // visits all that it wraps
	return nil, nil
}

var errNone = errors.New("no error is this one")
