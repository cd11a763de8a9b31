package modeltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// results is the result of a step in these tests. For a handler it has the fields ok and n. For a wait it has the cause that
// ended the wait.
type results struct {
	OK bool `json:"ok"`
	N  int  `json:"n"`

	by, name string // of a wait
	event    *event
	payload  *results
	sentAt   time.Time
}

// MarshalJSON writes the JSON that the engine keeps.
func (r results) MarshalJSON() ([]byte, error) {
	if r.by == "" {
		return fmt.Appendf(nil, `{"ok": %v, "n": %d}`, r.OK, r.N), nil
	}
	w := waited{By: r.by, Name: r.name}
	if r.event != nil {
		w.Key = &r.event.key
		if r.event.id != uuid.Nil {
			w.EventUUID = &r.event.id
		}
	}
	if r.payload != nil {
		w.Payload = r.payload.json()
	}
	if !r.sentAt.IsZero() {
		w.SentAt = r.sentAt.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	return json.Marshal(w)
}

func (r *results) paid() results {
	if r.payload == nil {
		return results{}
	}
	return *r.payload
}

func randomResults(r *rand.Rand) results { return results{OK: r.IntN(3) > 0, N: r.IntN(12)} }

func (r results) json() json.RawMessage {
	raw, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return raw
}

// condition is a jsonpath predicate together with a Go function that has the same meaning for existing results.
type condition struct {
	text  string
	holds func(results) bool
}

var conditions = []condition{
	{},
	{},
	{},
	{},
	{"$.ok == true", func(r results) bool { return r.OK }},
	{"$.n > 5", func(r results) bool { return r.N > 5 }},
	{"$.missing == 1", func(results) bool { return false }},
	{"!($.ok == true)", func(r results) bool { return !r.OK }},
}

// waitConditions are conditions on the end of a wait.
var waitConditions = []condition{
	{},
	{},
	{`$.by == "signal"`, func(r results) bool { return r.by == "signal" }},
	{`$.by == "timeout"`, func(r results) bool { return r.by == "timeout" }},
	{`$.name == "go"`, func(r results) bool { return r.name == "go" }},
	{`$.by == "event"`, func(r results) bool { return r.by == "event" }},
	{`$.key == "ann"`, func(r results) bool { return r.event != nil && r.event.key == "ann" }},
	{"$.payload.ok == true", func(r results) bool { return r.paid().OK }},
	{"$.payload.n > 5", func(r results) bool { return r.paid().N > 5 }},
}

// edge makes step "to" wait for step "from".
type edge struct {
	from, to int
	when     condition
	on       string // failed or ended, empty for a success
}

// stepPlan is a step of a template.
type stepPlan struct {
	name        string
	handler     string
	join        string
	maxAttempts int
	retryable   bool
	priority    int
	limit       string // the limit that it names
	wait        *wait  // instead of a handler
	timeout     int    // of a step that is SQL, in seconds
	watched     bool   // another step waits for its failure
}

// template is a graph of steps.
type template struct {
	namespace string
	name      string
	halt      bool
	keyed     bool // its tasks have identity keys
	fails     bool // on_failure: fail
	events    bool // its steps wait for events
	sql       bool // some of its steps are SQL
	steps     []stepPlan
	edges     []edge
}

func randomTemplate(r *rand.Rand, namespace, name string) *template {
	t := &template{namespace: namespace, name: name, keyed: r.IntN(2) == 0}
	switch r.IntN(8) {
	case 0, 1:
		t.halt = true
	case 2:
		t.fails = true
	}
	waits := r.IntN(3) > 0
	count := 1 + r.IntN([]int{3, 6, 12, 25}[r.IntN(4)])
	for n := range count {
		t.steps = append(t.steps, randomStep(r, fmt.Sprintf("s%d", n), waits))
	}
	// Step numbers need not follow the order of execution.
	order := r.Perm(count)
	for i := 1; i < count; i++ {
		t.edges = append(t.edges, randomEdges(r, t.steps, order[:i], order[i])...)
	}
	if r.IntN(3) == 0 {
		t.branch(r)
	}
	return t
}

func randomStep(r *rand.Rand, name string, waits bool) stepPlan {
	if waits && r.IntN(3) == 0 {
		return stepPlan{name: name, join: []string{"all", "any", "settled"}[r.IntN(3)], maxAttempts: 1, wait: randomWait(r, eventKeys)}
	}
	named := ""
	if r.IntN(4) == 0 {
		named = limitNames[r.IntN(len(limitNames))]
	}
	return stepPlan{
		limit: named,
		name:  name, handler: []string{"a", "b"}[r.IntN(2)],
		join:        []string{"all", "all", "any", "settled"}[r.IntN(4)],
		maxAttempts: 1 + r.IntN(3), retryable: r.IntN(6) > 0, priority: r.IntN(3) - 1,
	}
}

// randomEdges makes a step wait for up to three of these parents.
func randomEdges(r *rand.Rand, steps []stepPlan, parents []int, to int) (edges []edge) {
	for _, i := range r.Perm(len(parents))[:min(len(parents), r.IntN(4))] {
		of := conditions
		if steps[parents[i]].wait != nil {
			of = waitConditions
		}
		edges = append(edges, edge{from: parents[i], to: to, when: of[r.IntN(len(of))]})
	}
	return edges
}

func (t *template) json() json.RawMessage {
	policy, identity := "continue", "always_unique"
	switch {
	case t.halt:
		policy = "halt"
	case t.fails:
		policy = "fail"
	}
	if t.keyed {
		identity = "caller_provided"
	}
	raw, err := json.Marshal(map[string]any{
		"namespace": t.namespace, "name": t.name, "on_failure": policy, "identity_strategy": identity,
		"steps": stepsJSON(t.steps, t.edges, 0),
	})
	if err != nil {
		panic(err)
	}
	return raw
}

// stepsJSON writes the steps from number first on, in the form of templates and add_steps.
func stepsJSON(steps []stepPlan, edges []edge, first int) []map[string]any {
	list := []map[string]any{}
	for n := first; n < len(steps); n++ {
		s := steps[n]
		dependencies := []map[string]any{}
		for _, e := range edges {
			if e.to != n {
				continue
			}
			dependency := map[string]any{"step": steps[e.from].name}
			if e.when.text != "" {
				dependency["when"] = e.when.text
			}
			if e.on != "" {
				dependency["on"] = e.on
			}
			dependencies = append(dependencies, dependency)
		}
		if s.wait != nil {
			waits := map[string]any{"name": s.name, "join": s.join, "dependencies": dependencies, "await": s.wait.json()}
			if s.wait.timeout > 0 {
				waits["timeout"], waits["on_timeout"] = s.wait.timeout.Seconds(), s.wait.onTimeout
			}
			list = append(list, waits)
			continue
		}
		one := map[string]any{
			"name": s.name, "handler": s.handler, "join": s.join, "priority": s.priority, "dependencies": dependencies,
			"retry": map[string]any{"max_attempts": s.maxAttempts, "retryable": s.retryable},
		}
		if isSQL(s.handler) {
			delete(one, "handler")
			one["sql"] = sqlFunction
		}
		if s.timeout > 0 {
			one["timeout_seconds"] = s.timeout
		}
		if s.limit != "" {
			one["limit"], one["limit_key"] = s.limit, "$.tenant"
		}
		list = append(list, one)
	}
	return list
}
