// Package taskercore converts task templates of tasker-core to templates of pgtasker.
package taskercore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pgtasker/pgtasker/template"
)

// Note names a field that a template of pgtasker does not have, or has with another meaning.
type Note struct {
	// Line is the line of the field in the file. Path is the path of the field, such as steps.charge.publishes_events.
	Line int    `json:"line"`
	Path string `json:"path"`
	// Advice names the replacement.
	Advice string `json:"advice"`
}

// String returns the note as a line of text.
func (n Note) String() string { return fmt.Sprintf("line %d: %s: %s", n.Line, n.Path, n.Advice) }

// Convert reads the templates of a YAML file of tasker-core. The notes name the parts that a template of pgtasker cannot
// express. It returns an error if the file has no such templates. It does not check names, since the registration checks them.
func Convert(r io.Reader) (templates []*template.Template, notes []Note, err error) {
	decoder := yaml.NewDecoder(r)
	for {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF) && len(templates) == 0:
			return nil, nil, errors.New("the file has no template")
		case errors.Is(err, io.EOF):
			return templates, notes, nil
		case err != nil:
			return nil, nil, err
		}
		c := converter{}
		t, err := c.template(document.Content[0])
		if err != nil {
			return nil, nil, err
		}
		templates, notes = append(templates, t), append(notes, c.notes...)
	}
}

type converter struct{ notes []Note }

func (c *converter) note(node *yaml.Node, path, advice string) {
	c.notes = append(c.notes, Note{Line: node.Line, Path: path, Advice: advice})
}

// fields calls f for each field of an object. f returns false for a field that it does not know.
func (c *converter) fields(node *yaml.Node, path string, f func(name, path string, value *yaml.Node) (known bool, err error)) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: %s is not an object", node.Line, strings.TrimSuffix(path, "."))
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		known, err := f(name, path+name, value)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", value.Line, path+name, err)
		}
		if !known && !empty(value) {
			c.note(node.Content[i], path+name, "tasker-core has no such field; it is left out.")
		}
	}
	return nil
}

// empty says whether a value is null, an empty list or an empty object.
func empty(value *yaml.Node) bool {
	return value.Tag == "!!null" || value.Kind != yaml.ScalarNode && len(value.Content) == 0
}

func (c *converter) template(node *yaml.Node) (*template.Template, error) {
	t := &template.Template{Steps: []template.Step{}}
	err := c.fields(node, "", func(name, path string, value *yaml.Node) (bool, error) {
		var err error
		switch name {
		case "name":
			err = value.Decode(&t.Name)
		case "namespace_name":
			err = value.Decode(&t.Namespace)
		case "version":
			t.Version = value.Value
		case "description":
			err = value.Decode(&t.Description)
		case "identity_strategy":
			err = value.Decode(&t.IdentityStrategy)
		case "lifecycle":
			t.Lifecycle, err = c.lifecycle(value, path+".")
		case "input_schema":
			if !empty(value) {
				t.InputSchema, err = json.Marshal(c.schema(value, path))
			}
		case "steps":
			for _, step := range value.Content {
				s, err := c.step(step)
				if err != nil {
					return true, err
				}
				t.Steps = append(t.Steps, s)
			}
		default:
			return c.unmapped(templateAdvice, name, path, value), nil
		}
		return true, err
	})
	return t, err
}

// templateAdvice and stepAdvice are the remedies for fields without a counterpart. A field with an empty advice only repeats
// other fields.
var (
	templateAdvice = map[string]string{
		"metadata":            "keep it as a comment of the file. Tags belong to tasks: create_task(p_tags).",
		"system_dependencies": "name a limit on the steps that call the system (limit, docs/limits.md).",
		"domain_events":       "handlers write your tables in their transaction, or subscribe to the feed (docs/feed.md).",
		"environments":        "keep one file for each environment, or put what differs into the context of the task.",
		"loaded_from":         "",
		"default_context":     "merge it into the context before create_task.",
	}
	stepAdvice = map[string]string{
		"system_dependency": "name a limit on the step (limit, docs/limits.md).",
		"publishes_events":  "let the handler write what others read, or subscribe to the feed (docs/feed.md).",
		"batch_config":      "make the step a map (for_each, max_parallel, allow_failures, docs/howto/fan-out.md).",
		"result_schema":     "check the result in the handler; in Go the type of the result does it (docs/workflow.md).",
		"composition":       "write the composed steps as steps.",
		"lifecycle":         "only the whole template has a lifecycle; timeout_seconds bounds an attempt of the step.",
	}
	handlerAdvice = map[string]string{
		"resolver": "workers find a handler by its name: register it under that name.",
	}
	lifecycleAdvice = map[string]string{
		"max_duration_minutes": "give each task a deadline: create_task(p_deadline).",
		"staleness_action":     "settings say what becomes of stale tasks (docs/settings.md).",
		"auto_fail_on_timeout": "settings say what becomes of stale tasks (docs/settings.md).",
		"auto_dlq_on_timeout":  "settings say what becomes of stale tasks (docs/settings.md).",
	}
)

// unmapped notes a field without a counterpart, unless the field is empty.
func (c *converter) unmapped(advice map[string]string, name, path string, value *yaml.Node) bool {
	text, known := advice[name]
	if !known {
		return false
	}
	var systems struct {
		Primary   string
		Secondary []string
	}
	says := text != "" && !empty(value)
	if name == "system_dependencies" && value.Decode(&systems) == nil {
		says = systems.Primary != "" && systems.Primary != "default" || len(systems.Secondary) > 0
	}
	if says {
		c.note(value, path, text)
	}
	return true
}

func (c *converter) lifecycle(node *yaml.Node, path string) (*template.Lifecycle, error) {
	l := &template.Lifecycle{}
	err := c.fields(node, path, func(name, path string, value *yaml.Node) (bool, error) {
		switch name {
		case "max_waiting_for_dependencies_minutes":
			return true, value.Decode(&l.MaxWaitingForDependenciesMinutes)
		case "max_waiting_for_retry_minutes":
			return true, value.Decode(&l.MaxWaitingForRetryMinutes)
		case "max_steps_in_process_minutes":
			return true, value.Decode(&l.MaxStepsInProcessMinutes)
		}
		return c.unmapped(lifecycleAdvice, name, path, value), nil
	})
	if *l == (template.Lifecycle{}) {
		l = nil
	}
	return l, err
}

func (c *converter) step(node *yaml.Node) (s template.Step, err error) {
	var head struct{ Name string }
	if err := node.Decode(&head); err != nil {
		return s, err
	}
	s.Name = head.Name
	err = c.fields(node, "steps."+s.Name+".", func(name, path string, value *yaml.Node) (bool, error) {
		switch name {
		case "name":
		case "description":
			return true, value.Decode(&s.Description)
		case "handler":
			return true, c.handler(value, path+".", &s)
		case "type", "step_type":
			c.kind(value, path, &s)
		case "dependencies", "depends_on":
			var names []string
			if err := value.Decode(&names); err != nil {
				return true, err
			}
			for _, parent := range names {
				s.Dependencies = append(s.Dependencies, template.Dependency{Step: parent})
			}
		case "retry":
			s.Retry, err = c.retry(value, path+".")
			return true, err
		case "timeout_seconds":
			return true, value.Decode(&s.TimeoutSeconds)
		default:
			return c.unmapped(stepAdvice, name, path, value), nil
		}
		return true, nil
	})
	return s, err
}

func (c *converter) handler(node *yaml.Node, path string, s *template.Step) error {
	return c.fields(node, path, func(name, path string, value *yaml.Node) (bool, error) {
		switch name {
		case "callable":
			s.Handler = value.Value + strings.TrimPrefix(s.Handler, value.Value)
		case "method":
			if !empty(value) && value.Value != "call" {
				c.note(value, path, "the name of the handler has it: register a handler of the name that the converted file has.")
				s.Handler += "." + value.Value
			}
		case "initialization":
			var inputs map[string]any
			if err := value.Decode(&inputs); err != nil || len(inputs) == 0 {
				return true, err
			}
			text, err := json.Marshal(inputs)
			s.Initialization = text
			return true, err
		default:
			return c.unmapped(handlerAdvice, name, path, value), nil
		}
		return true, nil
	})
}

// kind notes the remedy for a step that is not a standard step.
func (c *converter) kind(value *yaml.Node, path string, s *template.Step) {
	switch value.Value {
	case "", "standard":
	case "decision", "decision_point":
		c.note(value, path, "let its children say when they run ({step, when}, docs/templates.md), or its handler add them (add_steps).")
	case "deferred_convergence":
		s.Join = "settled"
		c.note(value, path, "join: settled lets it run when all that it depends on have ended or were skipped (docs/howto/joins.md).")
	case "batchable", "batch_worker":
		c.note(value, path, "make it a map (for_each, docs/howto/fan-out.md): a step returns the batches, the map runs for each of them.")
	default:
		c.note(value, path, "tasker-core has no such type of step.")
	}
}

func (c *converter) retry(node *yaml.Node, path string) (*template.Retry, error) {
	r := &template.Retry{}
	err := c.fields(node, path, func(name, path string, value *yaml.Node) (bool, error) {
		var ms float64
		switch name {
		case "retryable":
			return true, value.Decode(&r.Retryable)
		case "max_attempts", "limit":
			if err := value.Decode(&r.MaxAttempts); err != nil {
				return true, err
			}
			if r.MaxAttempts != nil && *r.MaxAttempts == 0 {
				*r.MaxAttempts = 1
				c.note(value, path, "a step has one attempt at least.")
			}
		case "backoff":
			switch value.Value {
			case "exponential":
			case "none":
				r.Backoff = "constant"
				c.note(value, path, "every wait is base_seconds; none is not possible.")
			default:
				c.note(value, path, "waits grow exponentially, or are constant (backoff: constant).")
			}
		case "backoff_base_ms":
			if err := value.Decode(&ms); err != nil || empty(value) {
				return true, err
			}
			seconds := ms / 1000
			r.BaseSeconds = &seconds
		case "max_backoff_ms":
			if err := value.Decode(&ms); err != nil || empty(value) {
				return true, err
			}
			seconds := int64(math.Ceil(ms / 1000))
			r.MaxSeconds = &seconds
		default:
			return false, nil
		}
		return true, nil
	})
	return r, err
}
