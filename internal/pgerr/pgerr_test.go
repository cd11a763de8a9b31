package pgerr_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

func TestOf_JudgesWhetherAnotherTryIsWorthIt(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]pgerr.Kind{
		"TK404": pgerr.Refused, "TK999": pgerr.Refused, "42501": pgerr.Refused, "22P02": pgerr.Refused,
		"23505": pgerr.Refused, "21000": pgerr.Refused, "54000": pgerr.Refused, "P0001": pgerr.Refused,
		"40001": pgerr.Passing, "40P01": pgerr.Passing, "53300": pgerr.Passing, "57P01": pgerr.Passing,
		"57014": pgerr.Passing, "58030": pgerr.Passing, "08006": pgerr.Passing, "55P03": pgerr.Passing,
		"25006": pgerr.Passing, "": pgerr.Passing, "4": pgerr.Passing, // some poolers send no code
		"42883": pgerr.Installation, "42P01": pgerr.Installation, "3F000": pgerr.Installation, "XX000": pgerr.Installation,
	} {
		err := fmt.Errorf("call: %w", &pgconn.PgError{Code: code})
		require.Equal(t, want, pgerr.Of(err), code)
	}
	for _, err := range []error{io.ErrUnexpectedEOF, context.DeadlineExceeded, errors.New("dial: refused")} {
		require.Equal(t, pgerr.Passing, pgerr.Of(err), err)
	}
	require.Equal(t, pgerr.Refused, pgerr.Of(fmt.Errorf("result 1: %w", pgjson.Check([]byte(`{`)))))
}
