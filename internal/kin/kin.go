// Package kin has functions of package executor for other packages of this project. Users of executor do not need them. Package
// executor sets the variables. They are nil in a program that does not import executor.
package kin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pgtasker/pgtasker/gen"
)

var (
	// ErrOtherBuild says that the migrations of the database have the same versions as the migrations of this program, but were
	// made from other files. Functions and tables may be missing or work differently.
	ErrOtherBuild = errors.New("the database was made by another build of pgtasker")
	// ErrOlderBuild says that the database lacks migrations of this program.
	ErrOlderBuild = errors.New("the database is older than this program: apply the migrations (tasker migrate up) before the program starts")
	// ErrNewerBuild says that the database has all migrations of this program, and newer ones. A program of the preceding minor
	// version still works on such a database.
	ErrNewerBuild = errors.New("the database is newer than this program: replace the program after the upgrade (docs/support.md)")
)

var (
	// TranslateErrors returns a DBTX that runs on db and returns the errors of pgtasker's SQL functions as
	// *executor.Error. It is for generated queries that do not belong to executor.
	TranslateErrors func(db gen.DBTX) gen.DBTX
	// NewTaskError returns the *executor.TaskError of a task that did not complete, or of its step that has no result. It reads
	// the reasons from the database. step is empty for the task.
	NewTaskError func(task gen.TaskDetail, steps []gen.StepDetail, step string) error
	// SealContext encrypts the context of a request for a task, if the template demands encryption. db has the codec.
	SealContext func(ctx context.Context, db gen.DBTX, namespace, name, version string, plain json.RawMessage) (json.RawMessage, error)
	// CheckBuild compares the migrations of the database with the migrations of this program. It returns ErrOtherBuild if migrations of
	// the same version differ, ErrOlderBuild if the database lacks migrations, and ErrNewerBuild if it has newer migrations. "tasker
	// doctor" names the files that differ.
	CheckBuild func(ctx context.Context, db gen.DBTX) error
)
