package sound_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/sound"
)

type failure struct{ cause error }

func (f *failure) Error() string { return "failed: " + f.cause.Error() }
func (f *failure) Unwrap() error { return f.cause }

func TestCheck_FindsErrorsThatPanic(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, errors.New("no"), &failure{errors.New("no")}, errors.Join(errors.New("no"), errors.New("never"))} {
		_, panicked := sound.Check(err)
		require.NoError(t, panicked)
	}
	var none *failure
	for _, err := range []error{none, &failure{}, fmt.Errorf("call: %w", none), errors.Join(errors.New("no"), none)} {
		stack, panicked := sound.Check(err)
		require.ErrorContains(t, panicked, "panicked: runtime error: invalid memory address")
		require.Contains(t, string(stack), "(*failure)")
	}
}
