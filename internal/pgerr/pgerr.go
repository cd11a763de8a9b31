// Package pgerr sorts the errors of calls into three kinds, for the executor, the worker and tasklib. The table of the kinds is
// in docs/http-workers.md. All clients share it.
package pgerr

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// Kind says whether it makes sense to repeat a failed call.
type Kind int

const (
	// Passing is an error of the moment: no connection, a conflict with another transaction, a server that
	// is shutting down or short of resources. The same call may succeed later. An unknown error is passing, too.
	Passing Kind = iota
	// ToMend is an error that lasts until a person has changed the set-up: a right, an isolation level, a migration. After the
	// change the same call succeeds. So a caller keeps and repeats calls with results that must not be lost, and returns the
	// error of other calls. [Mend] names the necessary change.
	ToMend
	// Judged is an error of the call itself: the database refuses it, or this client cannot encode it. Another try would fail
	// in the same way.
	Judged
)

// Codes is the table: the kind of a SQLSTATE, or of a class of SQLSTATEs. Every other SQLSTATE is ToMend.
var Codes = map[string]Kind{
	// These are pgtasker's own codes. The first three concern the caller and the set-up, all other codes the call.
	"TK401": ToMend, "TK403": ToMend, "TK507": ToMend, "TK": Judged,
	// The classes are: cardinality, data, integrity, program limits, and errors that PL/pgSQL raises.
	"21": Judged, "22": Judged, "23": Judged, "54": Judged, "P0": Judged,
	// The classes are: connection, rollback, resources, operator intervention, system. The codes after them are: recovery,
	// read-only after a failover, object in use, lock not available.
	"08": Passing, "40": Passing, "53": Passing, "57": Passing, "58": Passing,
	"0A000": Passing, "25006": Passing, "55006": Passing, "55P03": Passing,
	"42501": ToMend,
}

// Statuses is the table for clients over HTTP. Every other status below 500 is Judged. Every other status from 500 is
// Passing.
var Statuses = map[int]Kind{
	400: Judged, 404: Judged, 409: Judged, 410: Judged, 413: Judged, 422: Judged,
	408: Passing, 429: Passing, 500: Passing, 502: Passing, 503: Passing, 504: Passing,
	401: ToMend, 403: ToMend, 507: ToMend,
}

// Of returns the kind of an error.
func Of(err error) Kind {
	if errors.Is(err, pgjson.ErrUnstorable) {
		return Judged
	}
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		if unsendable(err) {
			return Judged
		}
		return Passing
	}
	if len(pgErr.Code) != 5 {
		return Passing // Some poolers send no code.
	}
	if isolation(pgErr) {
		return ToMend
	}
	for _, code := range []string{pgErr.Code, pgErr.Code[:2]} {
		if kind, known := Codes[code]; known {
			return kind
		}
	}
	return ToMend
}

// unsendable reports whether this client fails to encode the call, which fails in the same way each time.
func unsendable(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.Contains(text, "message body too large") || strings.Contains(text, "failed to encode args") ||
		strings.Contains(text, "unable to encode")
}

// isolation reports whether the database refused the isolation level of the session's transactions.
func isolation(err *pgconn.PgError) bool {
	return err.Code == "TK409" && strings.HasPrefix(err.Message, "this function does not run in a transaction of isolation level")
}

// Mend returns what a person must change so that the call succeeds, or "" if that is not known.
func Mend(err error) string {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return ""
	}
	switch {
	case isolation(pgErr):
		return "set default_transaction_isolation to read committed for the login, and let its sessions end"
	case pgErr.Code == "42501":
		return "grant the login the tasker_ or tasklib_ roles that it had; docs/security.md lists their rights"
	case pgErr.Code == "TK401", pgErr.Code == "TK403":
		return "bind the login's role to the namespace, or allow it the name, or use the login that began the work"
	case pgErr.Code == "TK507":
		return "run maintenance, which creates partitions: tasker orchestrate, or tasker.ensure_partitions()"
	case pgErr.Code == "25006":
		return "if this lasts: reset default_transaction_read_only for the login, or let the address lead to the primary"
	case pgErr.Code == "42P05", pgErr.Code == "26000":
		return "set default_query_exec_mode=cache_describe in the pool's URL: a pooler gives each transaction another connection"
	case pgErr.Code == "53300":
		return "raise the connection limit of the login, the database or the server, or make pools smaller"
	case strings.HasPrefix(pgErr.Code, "28"):
		return "let the login in: its password, its certificate or pg_hba.conf has changed"
	case pgErr.Code == "42883", pgErr.Code == "42P01", pgErr.Code == "42703", pgErr.Code == "3F000":
		return "apply the migrations of this program's version: tasker migrate up"
	}
	return ""
}

// Away reports whether an error shows that the server itself is down, because it refused the connection, or said that it is
// stopping or starting. The error of a silent server or of a cut network does not show that.
func Away(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return strings.HasPrefix(pgErr.Code, "57P")
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// RolledBack reports whether an error of the database proves that a call has changed nothing. A lost connection
// proves nothing.
func RolledBack(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Severity == "ERROR" || pgErr.SeverityUnlocalized == "ERROR"
	}
	return Of(err) == Judged
}

// TimedOut reports whether a call failed because no answer came in time.
func TimedOut(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

// ConcernsSome reports whether a refusal of a batch may concern only some of its items, so that the caller must split the batch. An
// internal error of the server (class XX) may come from one damaged row.
func ConcernsSome(err error) bool {
	var pgErr *pgconn.PgError
	return Of(err) == Judged || errors.As(err, &pgErr) && !isolation(pgErr) &&
		(strings.HasPrefix(pgErr.Code, "TK4") || strings.HasPrefix(pgErr.Code, "XX"))
}
