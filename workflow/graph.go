package workflow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/internal/nearest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// graph is a workflow without its type parameter.
type graph struct {
	template    template.Template
	context     string // its type, as text
	checksInput bool
	nodes       map[string]*node
	order       []*node
	problems    []error
	once        sync.Once
	sealed      atomic.Bool
}

// node is a step of a graph.
type node struct {
	graph   *graph
	step    template.Step
	options []worker.HandlerOption
	handle  func(w *worker.Worker, name string) // nil if another program runs the step
	undo    func(w *worker.Worker, name string) // nil if no function undoes the step, or if another program does
	// elements is true if a map runs over the result.
	elements bool
	// result is the type of the node's result as text, empty if the program does not know the type.
	result string
	// encodes is the type of the node's result if a function of this program makes the result. Otherwise it is nil, since another program
	// may add fields.
	encodes reflect.Type
}

// edge is a dependency on a step.
type edge struct {
	node *node
	when string
	on   string
}

// parent is an argument of a constructor without its type parameters.
type parent struct {
	graph    *graph
	own      []edge // steps from which the argument is read
	also     []edge // steps that the argument only waits for
	optional bool   // whether the argument may lack results
	several  bool   // whether the argument consists of the results of several steps
	inputs   json.RawMessage
	path     string // the path of an array of the context, instead of a step
	problems []string
}

// problem keeps an argument's problem until a step uses the argument.
func (p *parent) problem(format string, args ...any) {
	p.problems = append(slices.Clone(p.problems), fmt.Sprintf(format, args...))
}

func (g *graph) String() string {
	return fmt.Sprintf("workflow %s/%s", g.template.Namespace, g.template.Name)
}

func (g *graph) problem(format string, args ...any) {
	g.problems = append(g.problems, fmt.Errorf("%s: %s", g, fmt.Sprintf(format, args...)))
}

// err returns all problems of the workflow.
func (g *graph) err() error {
	if len(g.order) == 0 && len(g.problems) == 0 {
		return fmt.Errorf("%s: it has no steps: add them before it is used", g)
	}
	return errors.Join(g.problems...)
}

// errNoDatabase returns the error for a nil database. Without it the driver would panic.
func (g *graph) errNoDatabase() error {
	return fmt.Errorf("%s: the database is nil: pass a pool, a connection or a transaction", g)
}

// encodes refuses a type that cannot be encoded as JSON, since each attempt at the step would fail for good.
func (g *graph) encodes(n *node, what string, typ reflect.Type) {
	if part := jsonfit.Unfit(typ); part != "" {
		g.problem("step %q has a %s that cannot be JSON: %s", n.step.Name, what, part)
	}
}

// add adds a step. Its problems are kept until a function can return an error.
func (g *graph) add(n *node, parents []parent, options []StepOption) {
	if g.sealed.Load() {
		panic(fmt.Sprintf("%s: step %q was added after the workflow was used", g, n.step.Name))
	}
	n.graph = g
	for _, option := range options {
		option.step(n)
	}
	waits := len(n.step.Await) > 0 || n.step.Task != nil
	switch {
	case n.step.OnTimeout != "" && !waits:
		g.problem("step %q does not wait: %q is for Await and Child", n.step.Name, n.step.OnTimeout)
	case n.step.OnTimeout != "" && n.step.Timeout == (template.Step{}).Timeout:
		g.problem("step %q has no timeout that %q could be about", n.step.Name, n.step.OnTimeout)
	}
	if n.step.SQL != "" && n.handle != nil {
		g.problem("step %q is SQL and has a Go function, too: give it nil as its function", n.step.Name)
	}
	if n.step.Handler == "" && len(n.step.Await) == 0 && n.step.Task == nil {
		if n.handle == nil {
			g.problem("step %q has no function: give it one, or name with HandledBy the handler of the program that does it", n.step.Name)
		}
		if strings.Contains(n.step.Name, ".") {
			g.problem("step %q has a dot in its name, where a version's handler could be taken for another's: rename it, or "+
				"name its handler with HandledBy", n.step.Name)
		}
	}
	if n.step.MaxParallel != nil && n.step.ForEach == nil {
		g.problem("step %q has MaxParallel, which is for Each", n.step.Name)
	}
	if g.nodes[n.step.Name] != nil {
		g.problem("two steps are named %q", n.step.Name)
		return
	}
	for _, p := range parents {
		g.connect(n, p)
	}
	g.nodes[n.step.Name] = n
	g.order = append(g.order, n)
}

// connect makes a step depend on the step that an argument reads.
func (g *graph) connect(n *node, p parent) {
	for _, problem := range p.problems {
		g.problem("step %q: %s", n.step.Name, problem)
	}
	switch {
	case p.graph == nil && len(p.problems) == 0:
		g.problem("step %q depends on a step that is not made yet", n.step.Name)
	case p.path != "" && n.step.ForEach == nil:
		g.problem("step %q: Elements are for Each; a function has them in job.Input", n.step.Name)
	case p.path != "" && p.graph != g:
		g.problem("step %q has elements of %s", n.step.Name, p.graph)
	case p.inputs != nil && p.graph != g:
		g.problem("step %q has inputs of %s", n.step.Name, p.graph)
	}
	if n.step.Join != "" && !p.optional && len(p.own) > 0 {
		g.problem("step %q may run without a result of %q, since it joins %s: ask for workflow.Optional of it",
			n.step.Name, p.own[0].node.step.Name, n.step.Join)
	}
	if p.inputs != nil {
		if n.step.Initialization != nil {
			g.problem("step %q has inputs twice", n.step.Name)
		}
		n.step.Initialization = p.inputs
	}
	for _, e := range slices.Concat(p.own, p.also) {
		g.depend(n, e)
	}
}

func (g *graph) depend(n *node, e edge) {
	if e.node.graph != g {
		g.problem("step %q depends on %q of %s: the steps before it must be of its own workflow",
			n.step.Name, e.node.step.Name, strings.TrimPrefix(e.node.graph.String(), "workflow "))
		return
	}
	g.reads(n, e)
	for _, d := range n.step.Dependencies {
		if d.Step == e.node.step.Name {
			if d.On != e.on {
				g.problem("step %q depends on %q in two ways: on its success and on its failure", n.step.Name, d.Step)
			}
			if d.When != e.when {
				g.problem("step %q depends on %q with two conditions, %q and %q", n.step.Name, d.Step, d.When, e.when)
			}
			return
		}
	}
	n.step.Dependencies = append(n.step.Dependencies, template.Dependency{Step: e.node.step.Name, When: e.when, On: e.on})
}

// reads refuses a condition on a field that the result never has, since the condition would never hold and the step would always be
// skipped.
func (g *graph) reads(n *node, e edge) {
	if e.when == "" || e.node.encodes == nil {
		return
	}
	field, fields := jsonfit.Missing(e.node.encodes, e.when)
	switch {
	case field == "":
	case len(fields) == 0:
		g.problem("step %q: its condition %q reads %q of the result of %q, which has no fields: it is %s",
			n.step.Name, e.when, field, e.node.step.Name, e.node.encodes)
	default:
		near := nearest.Name(field, fields)
		if near != "" {
			near = "; did you mean " + near + "?"
		}
		g.problem("step %q: its condition %q reads %q, which the result of %q never has; %s has %s%s",
			n.step.Name, e.when, field, e.node.step.Name, e.node.encodes, strings.Join(fields, ", "), near)
	}
}

// seal closes a graph for further steps, and returns its template.
func (g *graph) seal() *template.Template {
	g.once.Do(g.finish)
	return &g.template
}

func (g *graph) finish() {
	g.sealed.Store(true)
	for _, n := range g.order {
		step := n.step
		if n.undo != nil {
			step.Compensate = "undo" // a placeholder, since the handler's name contains the version, which is not known yet
		}
		g.template.Steps = append(g.template.Steps, step)
	}
	if g.template.Version == FromContent {
		g.template.Version = g.digest()
	}
	for i, n := range g.order {
		if n.undo != nil {
			n.step.Compensate = "undo." + handlerName(&g.template, n.step.Name)
			g.template.Steps[i].Compensate = n.step.Compensate
		}
		if n.step.Handler == "" && len(n.step.Await) == 0 && n.step.Task == nil {
			n.step.Handler = handlerName(&g.template, n.step.Name)
			g.template.Steps[i].Handler = n.step.Handler
		}
	}
}

// types returns the types of the context and of the results. Another program must not register the same version with other types.
func (g *graph) types() json.RawMessage {
	types := map[string]string{"$context": bounded(g.context)}
	for _, n := range g.order {
		if n.result != "" {
			types[n.step.Name] = bounded(n.result)
		}
	}
	text, err := json.Marshal(types)
	if err != nil {
		g.problem("%v", err)
	}
	return text
}

// bounded shortens the text of a type to a length that the database accepts. The end of a long text is replaced by a digest.
func bounded(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(text[:most], "") + "… " + hex.EncodeToString(sum[:8])
}

// digest returns a version made from the template and its types, without the version itself and without handlers whose names contain the
// version. It has 16 characters, as many as a version may have.
func (g *graph) digest() string {
	text, err := g.template.JSON()
	if err != nil {
		g.problem("%v", err)
	}
	sum := sha256.Sum256(append(text, g.types()...))
	return "dev-" + hex.EncodeToString(sum[:6])
}

// handlerName returns the name under which a worker registers a step's function, with the version.
func handlerName(t *template.Template, step string) string {
	return fmt.Sprintf("%s.%s:%s.%s", t.Namespace, t.Name, t.Version, step)
}
