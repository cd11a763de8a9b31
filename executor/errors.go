package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/order"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// These errors stand for the classes of the database's errors, by SQLSTATE. docs/errors.md lists causes and remedies. Every [*Error] wraps
// one of these errors, so test with errors.Is(err, executor.ErrNotFound).
var (
	ErrUnauthorized = errors.New("not authenticated")        // TK401
	ErrForbidden    = errors.New("not allowed")              // TK403, 42501
	ErrNotFound     = errors.New("not found")                // TK404
	ErrConflict     = errors.New("conflicts with the state") // TK409
	ErrRetired      = errors.New("retired")                  // TK410
	ErrTooLarge     = errors.New("too large")                // TK413
	ErrInvalid      = errors.New("invalid")                  // TK422
	ErrSignInAgain  = errors.New("sign in again")            // TK428
	ErrThrottled    = errors.New("throttled")                // TK429
	ErrDesignLimit  = errors.New("limit of the design")      // TK507
	errUnclassified = errors.New("unclassified")
)

var kindOf = map[string]error{
	"42501": ErrForbidden, // PostgreSQL itself raises it: no privilege to call the function.
	"TK401": ErrUnauthorized,
	"TK403": ErrForbidden,
	"TK404": ErrNotFound,
	"TK409": ErrConflict,
	"TK410": ErrRetired,
	"TK413": ErrTooLarge,
	"TK422": ErrInvalid,
	"TK428": ErrSignInAgain,
	"TK429": ErrThrottled,
	"TK507": ErrDesignLimit,
}

// Error is an error of pgtasker's SQL functions. errors.Is finds its kind, such as ErrNotFound. errors.As finds its *pgconn.PgError.
type Error struct {
	// Kind is the sentinel error of the error's class.
	Kind error
	// PgError holds code, message, detail and hint as the database sent them.
	PgError *pgconn.PgError
}

// Error returns message, detail and hint in one line, with the code.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.PgError.Message)
	for _, more := range []string{e.PgError.Detail, e.PgError.Hint} {
		if more != "" {
			b.WriteString(" | ")
			b.WriteString(more)
		}
	}
	b.WriteString(" (" + e.PgError.Code + ")")
	return b.String()
}

// Unwrap makes errors.Is and errors.As see both the kind and the PostgreSQL error.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.PgError} }

// translate turns a database error of pgtasker into an *Error, and returns every other error unchanged.
func translate(err error) error {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return err
	}
	kind, known := kindOf[pgErr.Code]
	if pgErr.Code == "42P05" || pgErr.Code == "26000" { // the prepared statement exists already, or does not exist in this session
		return fmt.Errorf("%w: %s", err, pgerr.Mend(pgErr))
	}
	if !known {
		if !strings.HasPrefix(pgErr.Code, "TK") {
			return err
		}
		kind = errUnclassified // The code is newer than this client: the error is still an *Error.
	}
	return &Error{Kind: kind, PgError: pgErr}
}

// noneFree adds an explanation to the error of a pool that had no free connection before ctx ended. The usual cause is a caller that has a
// transaction open on the only connection and makes a call on the pool.
func noneFree(db DBTX, err error) error {
	// The error of a query that timed out wraps ctx's error. The error of a wait for a connection does not.
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
	default:
		return err
	}
	pool, ok := db.(*pgxpool.Pool)
	if !ok || pool == nil {
		return err
	}
	if stat := pool.Stat(); stat.AcquiredConns() >= stat.MaxConns() {
		return fmt.Errorf("%w: all %d connections of the pool were in use: a caller with a transaction passes the transaction, not the pool",
			err, stat.MaxConns())
	}
	return err
}

// translator is a DBTX that passes its errors through translate, so that generated code returns translated errors.
type translator struct{ db DBTX }

func (t translator) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tag, err := t.db.Exec(ctx, sql, args...)
	return tag, translate(noneFree(t.db, err))
}

func (t translator) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	sql, args, err := order.Apply(ctx, sql, args)
	if err != nil {
		return nil, translate(err)
	}
	rows, err := t.db.Query(ctx, sql, args...)
	if err != nil {
		return nil, translate(noneFree(t.db, err))
	}
	return translatedRows{rows}, nil
}

func (t translator) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return translatedRow{t.db.QueryRow(ctx, sql, args...), t.db}
}

type translatedRow struct {
	pgx.Row
	db DBTX
}

func (r translatedRow) Scan(dest ...any) error { return translate(noneFree(r.db, r.Row.Scan(dest...))) }

type translatedRows struct{ pgx.Rows }

func (r translatedRows) Err() error             { return translate(r.Rows.Err()) }
func (r translatedRows) Scan(dest ...any) error { return translate(r.Rows.Scan(dest...)) }
