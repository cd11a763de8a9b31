package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/diff"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/template"
)

// The actions of apply on a template.
const (
	actionCreate    = "create"
	actionUnchanged = "unchanged"
	actionConflict  = "conflict"
)

// application is the JSON of one template.
type application struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Version is the version in the file. If the file conflicts, it may be empty, which means the default.
	Version string `json:"version"`
	// Action is create, unchanged or conflict.
	Action string `json:"action"`
	Steps  int32  `json:"steps"`
	// Previous is the version that Diff compares with, and empty if there was no earlier version.
	Previous string `json:"previous_version,omitempty"`
	// Diff is the difference of the previous version and the new version, both in normal form.
	Diff string `json:"diff,omitempty"`
	// Conflict describes the difference from the registered content of the version.
	Conflict string `json:"conflict,omitempty"`
	// Schedules has the names of the schedules that the file sets.
	Schedules []string `json:"schedules,omitempty"`

	lines []diff.Line
}

func (a *app) applyCommand() *cobra.Command {
	var dryRun, drafts bool
	command := a.leaf(cobra.Command{
		Use:   "apply PATH...",
		Short: "Register the templates of YAML files",
		Long: `Register the templates of a YAML file, or of all files *.yaml and *.yml in a directory and below it. All
templates are checked first, and each problem is reported with its file and line. If there is no problem, all templates are
registered in one transaction. The output shows the difference from the previous version.

A registered version never changes. Registering the same content again does nothing. Other content is a conflict and needs a
new version. The schedules of a file are set, too. A schedule that the file no longer has stays until "tasker schedule
delete". --dry-run does the same and rolls it back, so it needs the same rights.

--draft is for templates that are being written. Whatever version a file has, its content is registered under the next
of the versions dev-1, dev-2, …, unless the newest version is a draft with the same content. New tasks are created from
the draft.`,
		Example: `  tasker apply order.yaml
  tasker apply templates/ --dry-run
  tasker apply templates/ --draft                # after each edit`,
	}, "an array: namespace, name, version, action (create, unchanged, conflict), steps, previous_version, diff, conflict, schedules",
		func(ctx context.Context, args []string) error { return a.apply(ctx, args, dryRun, drafts) })
	command.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done, but change nothing")
	command.Flags().BoolVar(&drafts, "draft", false, "register changed templates under the next draft version: dev-1, dev-2, …")
	return command
}

func (a *app) apply(ctx context.Context, paths []string, dryRun, drafts bool) error {
	templates, err := loadTemplates(paths)
	if err != nil {
		return err
	}
	pool, err := a.connect(ctx)
	if err != nil {
		return err
	}
	done, err := a.register(ctx, pool, templates, dryRun, drafts)
	if err != nil {
		return err
	}
	conflicts := conflictsOf(done)
	err = a.show(done, func() error {
		for _, one := range done {
			if err := a.printApplication(one, dryRun || conflicts > 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && conflicts > 0 {
		return &problem{
			Exit:    exitConflict,
			Message: count(conflicts, "template") + " registered with other content; nothing was applied",
			Hint:    "Register the new content under a new version.",
		}
	}
	return err
}

// conflictsOf counts the templates that are registered with other content.
func conflictsOf(done []application) int {
	conflicts := 0
	for _, one := range done {
		if one.Action == actionConflict {
			conflicts++
		}
	}
	return conflicts
}

// register validates the templates, then registers all of them and sets their schedules in one transaction.
func (a *app) register(ctx context.Context, pool *pgxpool.Pool, templates []*template.Template, dryRun, drafts bool) ([]application, error) {
	if drafts {
		if err := template.Drafts(ctx, pool, templates...); err != nil {
			return nil, err
		}
	}
	if err := validate(ctx, executor.New(pool), templates); err != nil {
		return nil, err
	}

	var done []application
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var refused []*template.Template
	for _, t := range templates {
		one, err := applyOne(ctx, tx, t)
		if err != nil {
			return nil, err
		}
		if one.Action == actionConflict {
			refused = append(refused, t)
		} else if one.Schedules, err = a.setSchedules(ctx, tx, t); err != nil {
			return nil, err
		}
		done = append(done, one)
	}
	switch {
	case dryRun:
	case len(refused) == 0:
		return done, tx.Commit(ctx)
	default:
		if err := tx.Rollback(ctx); err != nil {
			return nil, err
		}
		noteRefused(ctx, executor.New(pool), refused)
	}
	return done, nil
}

// noteRefused records the refused templates, so that health, doctor and template check name both programs. If the record fails,
// the refusal is still reported.
func noteRefused(ctx context.Context, e *executor.SqlFunctionExecutor, refused []*template.Template) {
	for _, t := range refused {
		if content, err := t.JSON(); err == nil {
			_, _ = e.NoteRefusedProgram(ctx, content)
		}
	}
}

// loadTemplates reads all files, and reports the problems of all files together.
func loadTemplates(paths []string) ([]*template.Template, error) {
	var (
		templates []*template.Template
		problems  []error
	)
	for _, path := range paths {
		files, err := templateFiles(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			found, err := template.LoadFile(file)
			problems = append(problems, unjoin(err)...)
			templates = append(templates, found...)
		}
	}
	return templates, templateProblems(problems)
}

// templateFiles returns the path of a file, or the paths of the templates in a directory, in order.
func templateFiles(path string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if extension := filepath.Ext(name); name == path || extension == ".yaml" || extension == ".yml" {
			files = append(files, name)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = invalid("Templates are in files named *.yaml or *.yml.", "there is no template in %s", path)
	}
	return files, err
}

// unjoin returns the errors that an error joins, or the error itself if it joins none.
func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// templateProblems joins the problems, each with its file and line, to one error.
func templateProblems(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	p := invalid("", "%s in the templates; nothing was applied", count(len(problems), "problem"))
	for _, err := range problems {
		p.Problems = append(p.Problems, err.Error())
	}
	return p
}

// validate lets the database check the templates.
func validate(ctx context.Context, e *executor.SqlFunctionExecutor, templates []*template.Template) error {
	var problems []error
	for _, t := range templates {
		content, err := t.JSON()
		if err != nil {
			return err
		}
		found, err := e.ValidateTaskTemplate(ctx, content)
		if err != nil {
			return err
		}
		for _, p := range found {
			problems = append(problems, t.Problem(p.Path, p.Problem, text(p.Hint)))
		}
	}
	return templateProblems(problems)
}

// applyOne registers a template in the transaction and returns the action.
func applyOne(ctx context.Context, tx pgx.Tx, t *template.Template) (application, error) {
	e := executor.New(tx)
	content, err := t.JSON()
	if err != nil {
		return application{}, err
	}
	previous, err := previousVersion(ctx, e, t)
	if err != nil {
		return application{}, err
	}

	var registered gen.TemplateRegistration
	err = pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
		registered, err = executor.New(savepoint).RegisterTaskTemplate(ctx, content)
		return err
	})
	if errors.Is(err, executor.ErrConflict) {
		p := describe(err)
		return application{
			Namespace: t.Namespace, Name: t.Name, Version: t.Version,
			Action: actionConflict, Steps: int32(len(t.Steps)), Conflict: p.Message + ": " + p.Detail,
		}, nil
	}
	if err != nil {
		return application{}, err
	}

	one := application{
		Namespace: registered.Namespace, Name: registered.Name, Version: registered.Version,
		Action: actionUnchanged, Steps: registered.StepCount,
	}
	if !registered.Created {
		return one, nil
	}
	one.Action = actionCreate
	current, err := e.GetTaskTemplate(ctx, one.Namespace, one.Name, one.Version)
	if err != nil {
		return application{}, err
	}
	return one, one.compare(previous, current)
}

// setSchedules sets the schedules of a template's file, and returns their names.
func (a *app) setSchedules(ctx context.Context, tx pgx.Tx, t *template.Template) ([]string, error) {
	db, err := a.decoding(tx)
	if err != nil {
		return nil, err
	}
	schedules, err := t.SetSchedules(ctx, db)
	return pluck(schedules, err, func(s gen.Schedule) string { return s.Schedule })
}

// previousVersion returns the newest registered version of a template. Its UUID is zero if no version is registered.
func previousVersion(ctx context.Context, e *executor.SqlFunctionExecutor, t *template.Template) (gen.TaskTemplate, error) {
	versions, err := e.ListTaskTemplates(ctx, t.Namespace)
	if err != nil {
		return gen.TaskTemplate{}, err
	}
	newest := slices.IndexFunc(versions, func(v gen.TaskTemplateSummary) bool { return v.Name == t.Name })
	if newest < 0 {
		return gen.TaskTemplate{}, nil
	}
	return e.GetTaskTemplate(ctx, t.Namespace, t.Name, versions[newest].Version)
}

const diffContext = 3

// compare sets the difference of two versions in normal form, if there was a previous version.
func (one *application) compare(previous, current gen.TaskTemplate) error {
	if previous.Name == "" {
		return nil
	}
	before, err := templateFile(previous.Template)
	if err != nil {
		return err
	}
	after, err := templateFile(current.Template)
	if err != nil {
		return err
	}
	one.Previous = previous.Version
	one.lines = diff.Lines(before, after, diffContext)
	texts := make([]string, len(one.lines))
	for i, line := range one.lines {
		texts[i] = line.String()
	}
	one.Diff = strings.Join(texts, "\n")
	return nil
}

func (a *app) printApplication(one application, undone bool) error {
	name := one.Namespace + "/" + one.Name + "@" + one.Version
	if err := a.printTemplateChange(one, name, undone); err != nil || len(one.Schedules) == 0 {
		return err
	}
	verb := "set"
	if undone {
		verb = "would be set"
	}
	return a.out.Printf("  %s %s: %s\n", count(len(one.Schedules), "schedule"), verb, strings.Join(one.Schedules, ", "))
}

func (a *app) printTemplateChange(one application, name string, undone bool) error {
	switch one.Action {
	case actionUnchanged:
		return a.out.Say("= %s is already registered\n", name)
	case actionConflict:
		return a.out.Say("%s %s\n", a.out.Paint("!", term.Red), term.Clean(one.Conflict))
	}
	verb, from := "registered", "new, "+count(int(one.Steps), "step")
	if undone {
		verb = "would be registered"
	}
	if one.Previous != "" {
		from = "after " + one.Previous
	}
	if err := a.out.Say("%s %s %s, %s\n", a.out.Paint("+", term.Green), name, verb, from); err != nil {
		return err
	}
	colors := map[byte]term.Color{'+': term.Green, '-': term.Red, '@': term.Dim}
	for _, line := range one.lines {
		if err := a.out.Printf("  %s\n", a.out.Paint(term.CleanLines(line.String()), colors[line.Sign])); err != nil {
			return err
		}
	}
	return nil
}
