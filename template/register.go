package template

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// Register registers the templates of all files named *.yaml or *.yml in the file system files and its folders, and returns the templates.
// A program calls it at each start:
//
//	//go:embed templates
//	var files embed.FS
//
//	templates, err := template.Register(ctx, pool, files)
//	w.Require(templates...)
//
// Register checks all templates first. The error joins all mistakes, each as an [*Error] with its file and line. If there is no mistake,
// Register registers all templates in one transaction. Registering the same content again changes nothing. The error is
// executor.ErrConflict if a version is already registered with other content.
func Register(ctx context.Context, db executor.DBTX, files fs.FS) ([]*Template, error) {
	templates, err := LoadFS(files)
	if err != nil {
		return nil, err
	}
	return templates, RegisterAll(ctx, db, templates...)
}

// RegisterAll is [Register] for templates that a program has loaded or made. It also sets their schedules.
func RegisterAll(ctx context.Context, db executor.DBTX, templates ...*Template) error {
	if err := check(ctx, executor.New(db), templates); err != nil {
		return err
	}
	var refused json.RawMessage
	err := inTransaction(ctx, db, func(db executor.DBTX) error {
		e := executor.New(db)
		for _, t := range templates {
			text, err := t.JSON()
			if err != nil {
				return err
			}
			if _, err := e.RegisterTaskTemplate(ctx, text); err != nil {
				refused = text
				if t.file != "" {
					return fmt.Errorf("%s:%d: %w", t.file, t.line(""), err)
				}
				return err
			}
			if _, err := t.SetSchedules(ctx, db); err != nil {
				return err
			}
		}
		return nil
	})
	if refused != nil && errors.Is(err, executor.ErrConflict) {
		// Record the refused program. This fails in a transaction of the caller, since the refusal has ended the transaction.
		_, _ = executor.New(db).NoteRefusedProgram(ctx, refused)
	}
	return err
}

// LoadFS is [Load] of all files named *.yaml or *.yml in the file system files and its folders, in the order of their names.
func LoadFS(files fs.FS) ([]*Template, error) {
	var (
		templates []*Template
		problems  []error
	)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if extension := path.Ext(name); extension != ".yaml" && extension != ".yml" {
			return nil
		}
		file, err := files.Open(name)
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // The file was only read.
		found, err := load(file, name)
		if err != nil {
			problems = append(problems, err)
		}
		templates = append(templates, found...)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, errors.Join(problems...)
	case len(templates) == 0:
		return nil, errors.New("template: there is no *.yaml or *.yml file")
	}
	return templates, nil
}

// check validates the templates in the database.
func check(ctx context.Context, e *executor.SqlFunctionExecutor, templates []*Template) error {
	var problems []error
	for _, t := range templates {
		text, err := t.JSON()
		if err != nil {
			return err
		}
		found, err := e.ValidateTaskTemplate(ctx, text)
		if err != nil {
			return err
		}
		for _, p := range found {
			hint := ""
			if p.Hint != nil {
				hint = *p.Hint
			}
			problems = append(problems, t.Problem(p.Path, p.Problem, hint))
		}
	}
	return errors.Join(problems...)
}

// inTransaction calls do in a separate transaction, or in a savepoint of the caller's transaction.
func inTransaction(ctx context.Context, db executor.DBTX, do func(db executor.DBTX) error) error {
	beginner, can := db.(interface {
		Begin(ctx context.Context) (pgx.Tx, error)
	})
	if !can {
		return do(db)
	}
	return pgx.BeginFunc(ctx, beginner, func(tx pgx.Tx) error { return do(tx) })
}

// AddSteps adds steps to a running task. The new steps may depend on each other and on steps that the task already has:
//
//	_, err := template.AddSteps(ctx, tx, job.TaskUUID,
//		template.Step{Name: "price/1", Handler: "price", Dependencies: template.After("list"), Initialization: template.Inputs(item)})
//
// AddSteps is idempotent: if the task already has a step of the same name, this step stays unchanged, and Created is false. The error is
// executor.ErrConflict if the task has ended.
func AddSteps(ctx context.Context, db executor.DBTX, taskUUID uuid.UUID, steps ...Step) ([]gen.StepAddition, error) {
	text, err := json.Marshal(steps)
	if err != nil {
		return nil, err
	}
	return executor.New(db).AddSteps(ctx, taskUUID, text)
}

// After returns dependencies on steps of these names, without conditions.
func After(names ...string) []Dependency {
	dependencies := make([]Dependency, len(names))
	for i, name := range names {
		dependencies[i] = Dependency{Step: name}
	}
	return dependencies
}

// Inputs encodes the inputs of a step, for the field Initialization. The value v is a struct or a map. Inputs panics if v cannot be encoded
// as JSON, since that is a mistake in the program. The database refuses a value that is not an object.
func Inputs(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("template: inputs of type %T: %v", v, err))
	}
	return text
}
