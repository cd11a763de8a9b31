package verify

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// stuck makes databases and fails to drop them.
type stuck struct{ Databases }

var errStuck = errors.New("another session uses it")

func (stuck) CreateEmpty(context.Context) (string, error) { return "x", nil }
func (stuck) Drop(context.Context, string) error          { return errStuck }
func (stuck) URL(string) string                           { return "postgres://nowhere.invalid/x" }

func TestWith_SaysWhichDatabasesAreLeft(t *testing.T) {
	t.Parallel()
	called := false
	err := Verifier{Databases: stuck{}}.with(t.Context(), 2, func(databases []*database) error {
		called = len(databases) == 2
		return nil
	})
	require.ErrorIs(t, err, errStuck)
	require.True(t, called)
}
