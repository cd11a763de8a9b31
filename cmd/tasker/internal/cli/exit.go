package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/migrate"
)

// The exit codes, which docs/cli.md explains.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitInvalid     = 5
	exitForbidden   = 6
	exitUnreachable = 7
	exitNo          = 8
	exitTimeout     = 9
	exitLook        = 10
	exitInterrupted = 130
)

// exitCodes has the meaning of each code, for the reference.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitDone, "done"},
	{exitFailed, "failed, for a reason that has no code of its own"},
	{exitUsage, "the command line is wrong; nothing was done"},
	{exitNotFound, "there is no such thing (TK404)"},
	{exitConflict, "it conflicts with the state that things are in (TK409, TK410 and the like)"},
	{exitInvalid, "an argument or a file is not acceptable (TK422, TK413 and the like)"},
	{exitForbidden, "the role may not do it (TK403, 42501)"},
	{exitUnreachable, "the database cannot be reached, is not migrated, or is a standby where the command writes"},
	{exitNo, "done, and the answer is no: doctor found a failure, health something that a person must act on now, audit check an altered history, maintain a job that failed, migrate status --check a pending migration, task wait an end that is not success"},
	{exitTimeout, "the time given was over"},
	{exitLook, "done, and health found something that a person should look at today, but need not act on now"},
	{exitInterrupted, "interrupted"},
}

// problem is an error in the form that a person or a program sees.
type problem struct {
	Exit    int    `json:"exit_code"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Detail  string `json:"detail,omitempty"`
	Hint    string `json:"hint,omitempty"`
	// Problems has the single problems if there are several.
	Problems []string `json:"problems,omitempty"`
}

func (p *problem) Error() string { return p.Message }

// usage returns the problem of a command line.
func usage(command *cobra.Command, format string, arguments ...any) *problem {
	return &problem{
		Exit:    exitUsage,
		Message: fmt.Sprintf(format, arguments...),
		Hint:    "See " + command.CommandPath() + " --help.",
	}
}

// invalid returns the problem of the value of an argument or a file.
func invalid(hint, format string, arguments ...any) *problem {
	return &problem{Exit: exitInvalid, Message: fmt.Sprintf(format, arguments...), Hint: hint}
}

func interrupted(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &problem{Exit: exitInterrupted, Message: "interrupted"}
	}
	return err
}

// silent ends the command with exitNo and prints no error, because the output already has the reason.
var silent = &problem{Exit: exitNo}

// silentLook is like silent, if a person should look at something today.
var silentLook = &problem{Exit: exitLook}

// exits maps the kinds of the database's errors.
var exits = []struct {
	kind error
	exit int
}{
	{executor.ErrNotFound, exitNotFound},
	{pgx.ErrNoRows, exitNotFound},
	{fs.ErrNotExist, exitInvalid},
	{executor.ErrConflict, exitConflict},
	{executor.ErrRetired, exitConflict},
	{executor.ErrThrottled, exitConflict},
	{executor.ErrInvalid, exitInvalid},
	{executor.ErrTooLarge, exitInvalid},
	{executor.ErrDesignLimit, exitConflict},
	{executor.ErrForbidden, exitForbidden},
	{migrate.ErrOutOfOrder, exitConflict},
	{migrate.ErrOtherBuild, exitConflict},
}

// describe makes a problem of any error.
func describe(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	p = &problem{Exit: exitFailed, Message: err.Error()}
	for _, e := range exits {
		if errors.Is(err, e.kind) {
			p.Exit = e.exit
			break
		}
	}

	var pgErr *pgconn.PgError
	var connectErr *pgconn.ConnectError
	switch {
	case errors.Is(err, migrate.ErrOtherBuild):
		p.Hint = "Until v0.1.0 the migrations are regenerated in place: make a new database, and run tasker migrate up there."
	case errors.As(err, &connectErr):
		p.Exit = exitUnreachable
		p.Message = "the database cannot be reached"
		p.Detail = strings.Join(strings.Fields(connectErr.Error()), " ")
		p.Hint = "See that the server runs and that --database or DATABASE_URL names it."
	case errors.As(err, &pgErr):
		p.Code, p.Message, p.Detail, p.Hint = pgErr.Code, pgErr.Message, pgErr.Detail, pgErr.Hint
		p.Detail, p.Hint = inOwnWords(p.Detail), inOwnWords(p.Hint)
		notMigrated(p)
		onlyReads(p)
		// The text before the error of PostgreSQL names the migration.
		before, _, _ := strings.Cut(err.Error(), pgErr.Error())
		if which, ok := strings.CutPrefix(before, "migrate: "); ok && which != "find migrations: " {
			p.Message = which + p.Message
		}
	}
	return p
}

// notMigrated changes the hint of an error that a database without the functions of this version causes.
func notMigrated(p *problem) {
	switch p.Code {
	case "3F000", "42883", "42P01": // no such schema, function, table
		if strings.Contains(p.Message, "tasker") || strings.Contains(p.Message, "tasklib") {
			p.Exit = exitUnreachable
			p.Detail, p.Message = p.Message, "the database is not migrated to this version of tasker"
			p.Hint = "See tasker migrate status, then tasker migrate up."
		}
	case "42501":
		p.Exit = exitForbidden
		if p.Hint == "" {
			p.Hint = "docs/functions.md names the roles that may; tasker doctor shows which are granted."
		}
	}
}

// report writes a problem to standard error.
func (a *app) report(p *problem) {
	if p.Message == "" {
		return
	}
	if a.json {
		_ = writeJSON(a.Err, map[string]*problem{"error": p}, "") // An error of standard error cannot be reported.
		return
	}
	message := term.Clean(p.Message)
	if p.Code != "" {
		message += " (" + p.Code + ")"
	}
	_ = a.errs.Say("%s %s\n", a.errs.Paint("tasker:", term.Red), message)
	for _, line := range p.Problems {
		_ = a.errs.Say("  %s\n", term.Clean(line))
	}
	if p.Detail != "" {
		_ = a.errs.Say("  detail: %s\n", term.Clean(p.Detail))
	}
	if p.Hint != "" {
		_ = a.errs.Say("  hint: %s\n", term.Clean(p.Hint))
	}
}

// onlyReads explains the error of a read-only server.
func onlyReads(p *problem) {
	if p.Code != "25006" {
		return
	}
	p.Exit = exitUnreachable
	p.Detail = p.Message
	p.Message = "this server is a standby, or its sessions only read"
	p.Hint = "Name the primary with --database or DATABASE_URL, such as postgres://host1,host2/db?target_session_attrs=primary."
}
