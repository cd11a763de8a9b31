package modeltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

// plant registers a template for each of so many levels below the first, and returns the template of the first level. With keyed, it
// bounds how many of the tasks run at once.
func (g *grove) plant(levels int, keyed bool) *treeTemplate {
	g.Helper()
	var below *treeTemplate
	for level := levels; level >= 0; level-- {
		plan := &treeTemplate{name: fmt.Sprintf("%s_%d", g.name, level), onFailure: []string{"fail", "fail", "continue", "halt"}[g.r.IntN(4)], version: "1.0.0"}
		if keyed {
			plan.runs = g.runs(level)
		}
		var handlers []int
		steps := 2 + g.r.IntN(4)
		if keyed {
			steps = 1 + g.r.IntN(3) // many small tasks in line
		}
		for n := range steps {
			s := treePlan{name: fmt.Sprintf("s%d", n), join: []string{"all", "all", "settled", "any"}[g.r.IntN(4)], attempts: 1 + g.r.IntN(2), over: -1, allowed: -1}
			s.parents = g.r.Perm(n)[:min(n, g.r.IntN(3))]
			switch kind := g.r.IntN(7); {
			case kind < 2:
				s.isMap = true
				if len(handlers) > 0 && g.r.IntN(3) > 0 {
					s.over = handlers[g.r.IntN(len(handlers))]
					if !slices.Contains(s.parents, s.over) {
						s.parents = append(s.parents, s.over)
					}
				}
				if g.r.IntN(2) == 0 {
					s.parallel = 1 + g.r.IntN(3)
				}
				if g.r.IntN(2) == 0 {
					s.allowed = g.r.IntN(3)
				}
			case kind == 2:
				s.after = time.Duration(20+g.r.IntN(40)) * time.Second
			case kind < 5 && below != nil:
				s.child = below
			default:
				handlers = append(handlers, n)
				s.slot = keyed && g.r.IntN(3) == 0
				if keyed && (s.slot || g.r.IntN(3) == 0) {
					s.within = time.Duration(5+g.r.IntN(15)) * time.Second
				}
			}
			slices.Sort(s.parents)
			plan.steps = append(plan.steps, s)
		}
		g.register(plan)
		below = plan
	}
	return below
}

func (g *grove) register(plan *treeTemplate) {
	g.Helper()
	raw, err := json.Marshal(plan.json(g.namespace))
	require.NoError(g, err)
	g.say("template %s", raw)
	_, err = g.e.RegisterTaskTemplate(g.Context(), raw)
	require.NoError(g, err, string(raw))
}

// request returns a request for a task of a template, at times with a deadline, and the task as the model knows it.
func (g *grove) request(plan *treeTemplate, key string) (executor.TaskRequest, *treeTask) {
	g.Helper()
	lines := make([]int, g.r.IntN(5))
	for i := range lines {
		lines[i] = 1000 + i
	}
	raw, err := json.Marshal(map[string]any{"lines": lines, "key": key})
	require.NoError(g, err)
	options := executor.TaskOptions{}
	if g.r.IntN(4) == 0 {
		options.Deadline = g.now.Add(time.Duration(1+g.r.IntN(3)) * time.Minute)
	}
	return executor.TaskRequest{Namespace: g.namespace, Name: plan.name, Version: plan.version, Context: raw, TaskOptions: options},
		&treeTask{plan: plan, lines: value(lines).([]any), key: key, deadline: options.Deadline}
}

// create creates a task of the template.
func (g *grove) create(plan *treeTemplate) {
	g.Helper()
	request, t := g.request(plan, "")
	made, err := g.e.CreateTask(g.Context(), request)
	require.NoError(g, err)
	t.id = made.TaskUUID
	g.predict("create", func(w *tree) string { w.create(t, w.now); return "" })
}

func (p *treeTemplate) json(namespace string) map[string]any {
	var steps []map[string]any
	for _, s := range p.steps {
		step := map[string]any{"name": s.name, "join": s.join}
		dependencies := []string{}
		for _, n := range s.parents {
			dependencies = append(dependencies, p.steps[n].name)
		}
		if len(dependencies) > 0 {
			step["dependencies"] = dependencies
		}
		switch {
		case s.after > 0:
			step["await"] = []map[string]any{{"signal": "go"}, {"for": s.after.Seconds()}}
		case s.child != nil:
			step["task"] = map[string]any{"name": s.child.name}
		case s.isMap && s.over < 0:
			step["for_each"] = "$.lines"
		case s.isMap:
			step["for_each"] = map[string]any{"step": p.steps[s.over].name, "path": "$.list"}
		}
		if s.after == 0 {
			step["retry"] = map[string]any{"max_attempts": s.attempts, "base_seconds": 1}
		}
		if s.parallel > 0 {
			step["max_parallel"] = s.parallel
		}
		if s.allowed >= 0 {
			step["allow_failures"] = s.allowed
		}
		if s.within > 0 {
			step["start_within"] = s.within.Seconds()
		}
		if s.slot {
			step["limit"], step["limit_hold"] = "slot", "run"
		}
		steps = append(steps, step)
	}
	template := map[string]any{
		"namespace": namespace, "name": p.name, "version": p.version, "identity_strategy": "always_unique", "on_failure": p.onFailure, "steps": steps,
	}
	if r := p.runs; r != nil {
		template["runs"] = map[string]any{"key": "$.key", "max": r.max, "order": r.order, "further": r.further, "sequence": r.sequence}
	}
	return template
}
