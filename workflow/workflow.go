package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Workflow is a graph of steps. The context of its tasks has the type C. Make a workflow with [New], then add steps with [Root], [After1]
// and so on.
type Workflow[C any] struct {
	graph *graph
}

// New returns a workflow without steps. The type C must be encoded as a JSON object.
//
// A version fixes the steps, their dependencies and the types of their results. To change any of these, use a new version. Tasks of the old
// version continue with the handlers of a program that still has the old version. With the version [FromContent] you need not number
// versions.
func New[C any](namespace, name, version string, options ...Option) *Workflow[C] {
	g := &graph{
		template: template.Template{Namespace: namespace, Name: name, Version: version, Steps: []template.Step{}},
		context:  jsonfit.Describe(reflect.TypeFor[C]()),
		nodes:    map[string]*node{},
	}
	if t := reflect.TypeFor[C](); t.Kind() != reflect.Struct && t.Kind() != reflect.Map && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		g.problem("the context is a %s, whose JSON is no object: use a struct", t)
	}
	for _, option := range options {
		option.workflow(g)
	}
	if g.checksInput {
		g.template.InputSchema = g.inputSchema(reflect.TypeFor[C]())
	}
	return &Workflow[C]{graph: g}
}

// FromContent is the version of a workflow that is being developed: "dev-" and a digest of the template and its types. An edited template
// is automatically a new version. The digest does not cover handlers: when only their code changes, open tasks continue with the new code.
const FromContent = ""

// Version returns the version that was passed to [New], or the version made from the content.
func (w *Workflow[C]) Version() string { return w.graph.seal().Version }

// Template returns the task template. It has the same form as a template that is loaded from a file.
func (w *Workflow[C]) Template() (*template.Template, error) {
	t := w.graph.seal()
	if err := w.graph.err(); err != nil {
		return nil, err
	}
	clone := *t
	clone.Steps = slices.Clone(t.Steps)
	return &clone, nil
}

// YAML returns the template as a file, for tools and for programs in other languages.
func (w *Workflow[C]) YAML() ([]byte, error) {
	t, err := w.Template()
	if err != nil {
		return nil, err
	}
	return t.YAML()
}

// Register registers the template and sets its schedules ([Every]). A repeated call changes nothing. The error lists the problems that the
// compiler cannot see, such as a step of another workflow, and the problems that the database finds. The error is executor.ErrConflict if
// the version is already registered with other content, or with another type of the context or of a result. The workflow then needs a new
// version. A field with omitempty or omitzero may be added to a type without a new version.
func (w *Workflow[C]) Register(ctx context.Context, db executor.DBTX) error {
	t, err := w.Template()
	if err != nil {
		return err
	}
	t.Types = w.graph.types()
	text, err := t.JSON()
	if err != nil {
		return fmt.Errorf("%s: %w", w.graph, err)
	}
	if isNil(db) {
		return w.graph.errNoDatabase()
	}
	e := executor.New(db)
	if _, err := e.RegisterTaskTemplate(ctx, text); err != nil {
		if errors.Is(err, executor.ErrConflict) {
			// Record the conflict, so that the commands health, doctor and template check name both programs. In a caller's transaction
			// nothing is recorded, since the refusal has ended the transaction.
			_, _ = e.NoteRefusedProgram(ctx, text)
		}
		return fmt.Errorf("%s: %w", w.graph, err)
	}
	if _, err := t.SetSchedules(ctx, db); err != nil {
		return fmt.Errorf("%s: %w", w.graph, err)
	}
	return nil
}

// Handle makes a worker run the steps of this version. If Config.Namespaces of the worker lack the workflow's namespace, the worker's Run
// returns an error. Handle panics if the workflow has a problem that [Workflow.Register] finds without a database. It also panics if it is
// called twice, or after Run.
func (w *Workflow[C]) Handle(to *worker.Worker) {
	w.graph.seal()
	if err := w.graph.err(); err != nil {
		panic(err.Error())
	}
	inner.Of(to).RequireNamespace(w.graph.template.Namespace)
	for _, n := range w.graph.order {
		if n.handle != nil {
			n.handle(to, n.step.Handler)
		}
		if n.undo != nil {
			n.undo(to, n.step.Compensate)
		}
	}
}

// StartOptions say how a task is started. With the zero value the task starts at once:
//
//	order.Start(ctx, tx, Order{…}, workflow.StartOptions{Key: "order 7"})
type StartOptions struct {
	// Key is the identity key of the task. Requests with the same key get the same task. Only workflows with [ByKey] take a key.
	Key string
	executor.TaskOptions
	executor.TaskPolicy
}

// Request returns the request that [Workflow.Start] would send, for example to pass it to [worker.Signal.SendByKey], which starts a missing
// task.
func (w *Workflow[C]) Request(input C, options ...StartOptions) (executor.TaskRequest, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return executor.TaskRequest{}, fmt.Errorf("%s: the context: %w", w.graph, err)
	}
	var o StartOptions
	if len(options) > 0 {
		o = options[len(options)-1]
	}
	t := w.graph.seal()
	return executor.TaskRequest{
		Namespace: t.Namespace, Name: t.Name, Version: t.Version, Context: raw, IdentityKey: o.Key,
		TaskOptions: o.TaskOptions, TaskPolicy: o.TaskPolicy,
	}, nil
}

// Start creates a task of this version. If db is a transaction, the task exists if, and only if, the transaction commits. The workflow's
// [Identity] decides which requests are equal. An equal request finds the task of the first request. The workflow must be registered.
func (w *Workflow[C]) Start(ctx context.Context, db executor.DBTX, input C, options ...StartOptions) (Task[C], error) {
	request, err := w.Request(input, options...)
	if err != nil {
		return Task[C]{}, err
	}
	if isNil(db) {
		return Task[C]{}, w.graph.errNoDatabase()
	}
	created, err := executor.New(db).CreateTask(ctx, request)
	if err != nil {
		return Task[C]{}, fmt.Errorf("%s: %w", w.graph, err)
	}
	return Task[C]{UUID: created.TaskUUID, Created: created.Created, graph: w.graph}, nil
}

// StartMany starts a task for each input in one call, all tasks or none, and returns the tasks in the order of the inputs. In a workflow
// with [ByKey], the function key returns the identity key for an input. In other workflows key is nil.
func (w *Workflow[C]) StartMany(
	ctx context.Context, db executor.DBTX, inputs []C, key func(C) string, options ...StartOptions,
) ([]Task[C], error) {
	var many executor.TasksRequest
	for i, input := range inputs {
		request, err := w.Request(input, options...)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i+1, err)
		}
		many.Namespace, many.Name, many.Version = request.Namespace, request.Name, request.Version
		many.TaskOptions, many.TaskPolicy = request.TaskOptions, request.TaskPolicy
		many.Contexts = append(many.Contexts, request.Context)
		if key != nil {
			many.IdentityKeys = append(many.IdentityKeys, key(input))
		}
	}
	if len(options) > 0 && options[len(options)-1].Key != "" {
		return nil, fmt.Errorf("%s: StartMany takes its keys from its function, not from StartOptions.Key", w.graph)
	}
	if isNil(db) {
		return nil, w.graph.errNoDatabase()
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	created, err := executor.New(db).CreateTasks(ctx, many)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.graph, err)
	}
	tasks := make([]Task[C], len(created))
	for i, one := range created {
		tasks[i] = Task[C]{UUID: one.TaskUUID, Created: one.Created, graph: w.graph}
	}
	return tasks, nil
}

// isNil reports whether db is nil or a nil pointer, for example a nil pool.
func isNil(db executor.DBTX) bool {
	v := reflect.ValueOf(db)
	return db == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// Task returns the task with this UUID, for example a UUID that the program stored when it started the task.
func (w *Workflow[C]) Task(task uuid.UUID) Task[C] { return Task[C]{UUID: task, graph: w.graph} }

// Task is a task of a workflow, for [Step.Wait] and [Step.Result].
type Task[C any] struct {
	UUID uuid.UUID
	// Created is true if this call of Start created the task, and false if the task already existed.
	Created bool

	graph *graph
}
