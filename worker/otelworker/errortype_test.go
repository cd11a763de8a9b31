package otelworker

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

func TestErrorType_IsTheSQLStateOrThatNothingWasAnswered(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"TK403":      &executor.Error{Kind: executor.ErrForbidden, PgError: &pgconn.PgError{Code: "TK403"}},
		"57P01":      fmt.Errorf("exchange: %w", &pgconn.PgError{Code: "57P01"}),
		"timeout":    fmt.Errorf("exchange: %w", context.DeadlineExceeded),
		"connection": errors.New("connection reset by peer"),
	} {
		require.Equal(t, want, errorType(err).Value.AsString())
	}
}
