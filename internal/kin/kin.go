// Package kin has what other packages of the project need of package executor and users of executor do not. Package executor sets
// the variables: a program that does not import executor finds them nil.
package kin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pgtasker/pgtasker/gen"
)

var (
	// ErrOtherBuild says that the database was made of other files than this program, though under the same versions: functions
	// and tables may be missing or work otherwise.
	ErrOtherBuild = errors.New("the database was made by another build of pgtasker")
	// ErrOlderBuild says that the database lacks migrations of this program.
	ErrOlderBuild = errors.New("the database is older than this program: apply the migrations (tasker migrate up) before the program starts")
	// ErrNewerBuild says that the database has all migrations of this program, and newer ones. A program of the preceding minor version
	// works on it.
	ErrNewerBuild = errors.New("the database is newer than this program: replace the program after the upgrade (docs/support.md)")
)

var (
	// TranslateErrors returns a DBTX that runs on db and returns the errors of pgtasker's SQL functions as
	// *executor.Error: for generated queries that are not executor's own.
	TranslateErrors func(db gen.DBTX) gen.DBTX
	// NewTaskError returns the *executor.TaskError of a task that did not complete, or of a step of it that has no result, from
	// what the database says about them. step is empty for the task.
	NewTaskError func(task gen.TaskDetail, steps []gen.StepDetail, step string) error
	// SealContext encrypts the context of a request for a task, if the template says so. db has the codec.
	SealContext func(ctx context.Context, db gen.DBTX, namespace, name, version string, plain json.RawMessage) (json.RawMessage, error)
	// CheckBuild returns ErrOtherBuild if the migrations that the database has applied are other ones than this program's of the
	// same versions, ErrOlderBuild if some are missing, ErrNewerBuild if there are newer ones. "tasker doctor" names files that differ.
	CheckBuild func(ctx context.Context, db gen.DBTX) error
)
