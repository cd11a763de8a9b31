// Package lent has the transaction that a worker lends to a function of its user. The worker begins and ends the transaction,
// and checks that the function has not ended it. Packages worker and tasklib share this package.
package lent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Runs is how often a function runs if each of its transactions is lost. After the last run the attempt fails, because the
// function may be the cause.
const Runs = 20

// rollbackWithin bounds the time of a rollback, since the connection may be silent.
const rollbackWithin = 5 * time.Second

// Tx is a transaction that its borrower must not end.
type Tx struct {
	pgx.Tx
	ended bool
}

var errLent = errors.New("the transaction ends by itself, when the function that got it has returned")

// Commit returns an error and does not commit.
func (t *Tx) Commit(context.Context) error {
	t.ended = true
	return errLent
}

// Rollback returns an error and does not roll back.
func (t *Tx) Rollback(context.Context) error {
	t.ended = true
	return errLent
}

// Exec executes SQL. A statement that ends the transaction cannot be undone. A function that executes such a statement has
// misused the transaction, even if it then begins another transaction: its first writes would stay without the function's
// result.
func (t *Tx) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	tag, err := t.Tx.Exec(ctx, sql, arguments...)
	switch tag.String() {
	case "COMMIT", "BEGIN", "START TRANSACTION", "PREPARE TRANSACTION":
		t.ended = true
	}
	return tag, err
}

// LostError says that a transaction was lost because its connection broke, or because it conflicted with another transaction.
// The function is not at fault. Ran says that the function has run. Committing says that the commit was sent and not answered,
// so that it may have worked.
type LostError struct {
	Err             error
	Ran, Committing bool
}

func (e *LostError) Error() string { return e.Err.Error() }

func (e *LostError) Unwrap() error { return e.Err }

// MisuseError says that a function misused its transaction. Another attempt would misuse it again.
type MisuseError struct{ Err error }

func (e *MisuseError) Error() string { return e.Err.Error() }

func (e *MisuseError) Unwrap() error { return e.Err }

// Judge judges a transaction after its function has returned err, and returns a LostError, a MisuseError, or err. `function`
// describes the function in messages.
func (t *Tx) Judge(ctx context.Context, conn *pgx.Conn, function string, err error) error {
	status := byte('T')
	if conn != nil && !t.ended {
		status = conn.PgConn().TxStatus()
	}
	switch {
	case conn != nil && conn.IsClosed():
		// If a context ends during its statement, the connection is lost, too.
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			if err == nil {
				err = context.Cause(ctx)
			}
			return err
		}
		return &LostError{Err: errors.Join(errors.New("its connection was lost"), err), Ran: true}
	case t.ended, status == 'I':
		return &MisuseError{errors.Join(fmt.Errorf("the function of %s ended its transaction, which keeps its result and ends by itself", function), err)}
	case Conflicts(err):
		return &LostError{Err: err, Ran: true}
	case err == nil && status == 'E':
		return &MisuseError{fmt.Errorf("a statement of %s failed, and its function returned no error; a savepoint "+
			"(tx.Begin) lets it go on after an error", function)}
	}
	return err
}

// Conflicts says whether a transaction was rolled back because of a conflict with another transaction.
func Conflicts(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && len(pgErr.Code) == 5 && pgErr.Code[:2] == "40"
}

// Rollback rolls back a transaction. If that fails, its connection is closed, and the server rolls the transaction
// back.
func Rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackWithin)
	defer cancel()
	_ = tx.Rollback(ctx)
}

// Places bounds the number of transactions that are lent at the same time. Each transaction takes a connection of the pool, and
// the worker's own calls need connections, too.
type Places chan struct{}

// Begin waits for a place, and begins a transaction. The transaction has the place until it ends.
func (p Places) Begin(ctx context.Context, begin func(ctx context.Context) (pgx.Tx, error)) (pgx.Tx, error) {
	select {
	case p <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	tx, err := begin(ctx)
	if err != nil {
		<-p
		return nil, err
	}
	return &placed{Tx: tx, places: p}, nil
}

// placed is a transaction that has a place. One goroutine at a time ends it.
type placed struct {
	pgx.Tx
	places Places
	left   bool
}

func (t *placed) Commit(ctx context.Context) error {
	defer t.leave()
	return t.Tx.Commit(ctx)
}

func (t *placed) Rollback(ctx context.Context) error {
	defer t.leave()
	return t.Tx.Rollback(ctx)
}

func (t *placed) leave() {
	if !t.left {
		t.left = true
		<-t.places
	}
}
