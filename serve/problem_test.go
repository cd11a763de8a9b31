package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// For each code of docs/errors.md, the number of the code is the status of its answer, and the page describes the code.
func TestProblem_HasTheStatusOfEveryCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/errors.md")
	require.NoError(t, err)
	codes := regexp.MustCompile(`(?m)^\| TK(\d{3}) \|`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, codes, len(kinds)-1, "each code has a kind, and pgx's error has one")
	db := kin.TranslateErrors(pgtest.New(t))
	for _, code := range codes {
		_, err := db.Exec(t.Context(), fmt.Sprintf("do $$ begin raise exception using errcode = 'TK%s', message = 'm', detail = 'd', hint = 'h'; end $$", code[1]))
		p, internal := describe(err)
		want, numbered := strconv.Atoi(code[1])
		require.NoError(t, numbered)
		require.False(t, internal)
		require.Equal(t, &Problem{Status: want, Code: "TK" + code[1], Detail: "m", More: "d", Hint: "h"}, p)
		require.NotEmpty(t, http.StatusText(want))
		require.Contains(t, string(page().html), `id="tk`+code[1]+`"`)
	}
}

func TestProblem_TellsNothingOfWhatIsNotTheClients(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err      error
		status   int
		internal bool
	}{
		{&pgconn.PgError{Code: "42501", Message: "permission denied for function x"}, 403, false},
		{&pgconn.PgError{Code: "25006", Message: "cannot execute UPDATE"}, 403, false},
		{&pgconn.PgError{Code: "22P05", Message: "unsupported Unicode escape sequence"}, 422, false},
		{&pgconn.PgError{Code: "57014", Message: "secret"}, 503, true},
		{&pgconn.PgError{Code: "53300", Message: "secret"}, 503, true},
		{&pgconn.PgError{Code: "42883", Message: "secret"}, 500, true},
		{&pgconn.PgError{Code: "TK999", Message: "secret"}, 500, true},
		{&pgconn.PgError{Code: "0A000", Message: "cannot set transaction read-write mode during recovery"}, 503, true},
		{&pgconn.PgError{Code: "0A000", Message: "secret is not supported"}, 500, true},
		{fmt.Errorf("exchange: %w", io.ErrUnexpectedEOF), 503, true},
		{fmt.Errorf("query: %w", &net.OpError{Op: "read", Err: errors.New("secret")}), 503, true},
		{errors.New("secret"), 500, true},
	} {
		if test.status < 500 { // as the executor returns the error, and as the error of a transaction that cannot begin
			p, _ := describe(test.err)
			require.Equal(t, test.status, p.Status, test.err)
		}
		p, internal := describe(executorError(test.err))
		require.Equal(t, test.status, p.Status, test.err)
		require.Equal(t, test.internal, internal, test.err)
		require.NotContains(t, p.Detail+p.More+p.Hint, "secret")
	}
}

func TestProblem_BlamesTheLoginThatMayNotBecomeARole(t *testing.T) {
	t.Parallel()
	refused := &pgconn.PgError{Code: "42501", Message: `permission denied to set role "tasker_worker"`}
	for _, err := range []error{refused, executorError(refused)} { // the first is the error when a transaction begins
		p, internal := describe(err)
		require.False(t, internal)
		require.Equal(t, 403, p.Status)
		require.Equal(t, `the login of the server may not become "tasker_worker"`, p.Detail)
		require.Contains(t, p.Hint, "grant tasker_worker to")
	}
}

// executorError returns the executor's error for an error that the database sent.
func executorError(err error) error {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "42501" {
		return &executor.Error{Kind: executor.ErrForbidden, PgError: pgErr}
	}
	return err
}
