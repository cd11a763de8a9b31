package workflow

import (
	"encoding/json"
	"errors"
	"slices"
)

// Step is a step with a result of type R, in a workflow with a context of type C. A constructor such as [Root] returns a Step, and the
// constructors of dependent steps take it. [Step.When], [Step.And], [Optional] and [All] change how one dependent step depends on it.
type Step[C, R any] struct {
	parent
	read func(results) (R, error)
}

// results has the results of steps that succeeded, by name.
type results func(step string) (raw json.RawMessage, found bool, err error)

// Of is a step with a result of any type, in a workflow with a context of type C.
type Of[C any] interface{ of(C) parent }

func (s Step[C, R]) of(C) parent { return s.parent }

// When makes the dependency hold only if the result meets a condition, a jsonpath predicate such as "$.paid == true". A step whose
// dependencies do not hold is skipped.
func (s Step[C, R]) When(condition string) Step[C, R] {
	own := make([]edge, len(s.own))
	for i, e := range s.own {
		if e.when != "" {
			s.problem("%q has two conditions, %q and %q", e.node.step.Name, e.when, condition)
		}
		own[i] = edge{node: e.node, when: condition}
	}
	s.own = own
	return s
}

// And makes the dependent step wait for further steps without taking their results. The further steps may have conditions.
func (s Step[C, R]) And(steps ...Of[C]) Step[C, R] {
	s.also = slices.Clone(s.also)
	for _, step := range steps {
		var c C
		p := step.of(c)
		switch {
		case p.inputs != nil:
			s.problem("inputs are nothing to wait for")
		case p.graph == nil && len(p.problems) == 0:
			s.problem("it waits for a step that is not made yet")
		}
		s.also = append(append(s.also, p.own...), p.also...)
		for _, problem := range p.problems {
			s.problem("%s", problem)
		}
	}
	return s
}

// Maybe is the result of a step that may have no result. OK is false if the step failed for good, was skipped, or was resolved by hand
// without a result.
type Maybe[R any] struct {
	OK    bool
	Value R
}

// Optional returns a step whose result may be missing for a dependant. Steps with [JoinAny], [JoinSettled] or [JoinFirst] may run without
// some results of their parents, and must take these results as Optional.
func Optional[C, R any](step Step[C, R]) Step[C, Maybe[R]] {
	p := step.parent
	p.optional = true
	return Step[C, Maybe[R]]{parent: p, read: func(from results) (Maybe[R], error) {
		value, err := step.read(from)
		var missing missingError
		if errors.As(err, &missing) {
			return Maybe[R]{}, nil
		}
		return Maybe[R]{OK: err == nil, Value: value}, err
	}}
}

// All joins steps with the same type of result. The dependent step gets their results as a slice in this order. With All(Optional(a),
// Optional(b)) some results may be missing.
func All[C, R any](steps ...Step[C, R]) Step[C, []R] {
	all := parent{optional: true, several: true}
	if len(steps) == 0 {
		all.problem("All has no steps")
	}
	for _, s := range steps {
		switch {
		case s.inputs != nil:
			all.problem("inputs cannot be one of All")
		case s.graph == nil && len(s.problems) == 0:
			all.problem("it depends on a step that is not made yet")
		}
		all.graph = s.graph
		all.own = append(all.own, s.own...)
		all.also = append(all.also, s.also...)
		all.problems = append(all.problems, s.problems...)
		all.optional = all.optional && s.optional
	}
	return Step[C, []R]{parent: all, read: func(from results) ([]R, error) {
		values := make([]R, len(steps))
		for i, s := range steps {
			var err error
			if values[i], err = s.read(from); err != nil {
				return nil, err
			}
		}
		return values, nil
	}}
}

// Inputs returns fixed inputs of a step, which the template stores as the step's initialization for all tasks. Pass it instead of a step to
// a constructor. The inputs must be encoded as a JSON object.
func Inputs[C, I any](w *Workflow[C], inputs I) Step[C, I] {
	p := parent{graph: w.graph, optional: true}
	raw, err := json.Marshal(inputs)
	switch {
	case err != nil:
		p.problem("its inputs: %v", err)
	case raw[0] != '{':
		p.problem("its inputs, %T, are not a JSON object", inputs)
	default:
		p.inputs = raw
	}
	return Step[C, I]{parent: p, read: func(results) (value I, err error) { return value, json.Unmarshal(raw, &value) }}
}
