package writerstest

import "fmt"

// namespaces have the two result modes. Published steps go through other tables, so there is a third namespace.
var namespaces = []struct{ name, mode, transport string }{
	{"plain", "immediate", "table"},
	{"deferred", "deferred", "table"},
	{"brokered", "immediate", "pgmq"},
}

// keyed is the template whose tasks have keys.
const keyed = "keyed"

// template is a template without its namespace. Contexts have the fields n, lines, tenant and at.
type template struct{ name, rest string }

// templates have every kind of step, join, condition and failure policy.
var templates = []template{
	{"one", `"steps": [{"name": "a"}]`},
	{"diamond", `"steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["a"], "priority": 5},
		{"name": "d", "dependencies": ["b", "c"]}]`},
	{"fails", `"on_failure": "fail", "steps": [{"name": "a", "retry": {"max_attempts": 2, "base_seconds": 3}}, {"name": "b", "dependencies": ["a"]},
		{"name": "c", "retry": {"max_attempts": 1}}]`},
	{"halts", `"on_failure": "halt", "steps": [{"name": "a", "retry": {"max_attempts": 1}}, {"name": "b", "retry": {"max_attempts": 3}},
		{"name": "c", "dependencies": ["a"]}]`},
	{"continues", `"steps": [{"name": "a", "retry": {"retryable": false}}, {"name": "b", "dependencies": ["a"]},
		{"name": "c", "join": "settled", "dependencies": ["a"]}, {"name": "d", "join": "any", "dependencies": ["a", "c"]}]`},
	{keyed, `"steps": [{"name": "a"}, {"name": "s", "await": {"signal": "go"}, "dependencies": ["a"]}]`},
	{"waits", `"steps": [{"name": "a"}, {"name": "s", "await": {"signal": "go", "when": "$.n >= 2"}, "dependencies": ["a"]},
		{"name": "z", "dependencies": ["s"]}]`},
	{"times_out", `"on_failure": "fail", "steps": [{"name": "s", "await": {"signal": "go"}, "timeout": 40, "on_timeout": "skip"},
		{"name": "t", "await": {"for": 20}}, {"name": "u", "await": [{"signal": "stop"}, {"until": "$.at"}], "timeout": 60, "on_timeout": "complete"},
		{"name": "v", "await": {"signal": "never"}, "timeout": 50, "on_timeout": "fail", "dependencies": ["t"]},
		{"name": "z", "join": "settled", "dependencies": ["s", "t", "u"]}]`},
	{"hears", `"steps": [{"name": "e", "await": {"event": "paid", "key": "$.tenant"}},
		{"name": "f", "await": [{"event": "open"}, {"for": 300}], "dependencies": ["e"]}, {"name": "z", "dependencies": ["f"]}]`},
	{"maps", `"steps": [{"name": "l", "for_each": "$.lines", "max_parallel": 2, "allow_failures": 1, "retry": {"max_attempts": 1}},
		{"name": "z", "dependencies": ["l"]}]`},
	{"maps_result", `"on_failure": "fail", "steps": [{"name": "a"},
		{"name": "l", "for_each": {"step": "a", "path": "$.list"}, "dependencies": ["a"], "retry": {"max_attempts": 2, "base_seconds": 1}},
		{"name": "z", "dependencies": ["l"]}]`},
	{"undoes", `"on_failure": "fail", "steps": [{"name": "a", "compensate": "undo_a"},
		{"name": "b", "dependencies": ["a"], "compensate": "undo_b", "retry": {"max_attempts": 2, "base_seconds": 1}},
		{"name": "c", "dependencies": ["b"], "retry": {"max_attempts": 1}}]`},
	{"chooses", `"steps": [{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "when": "$.n > 4"}]}, {"name": "c", "dependencies": ["b"]},
		{"name": "d", "join": "settled", "dependencies": ["a", "b"]}, {"name": "e", "join": "any", "dependencies": ["b", {"step": "a", "when": "$.n <= 4"}]}]`},
	{"limited", `"steps": [{"name": "q", "limit": "few", "retry": {"base_seconds": 2}}, {"name": "r", "limit": "keyed", "limit_key": "$.tenant", "dependencies": ["q"]},
		{"name": "m", "for_each": "$.lines", "limit": "rated"}]`},
	{"starts", `"on_failure": "halt", "steps": [{"name": "a"}, {"name": "t", "task": {"name": "fails"}, "dependencies": ["a"], "retry": {"max_attempts": 2, "base_seconds": 1}},
		{"name": "u", "task": {"name": "waits", "abandon": true}, "timeout": 90, "on_timeout": "skip"}, {"name": "z", "join": "settled", "dependencies": ["t", "u"]}]`},
	{"starts_twice", `"on_failure": "fail", "steps": [{"name": "t", "task": {"name": "starts"}}, {"name": "l", "limit": "few", "compensate": "undo_l"},
		{"name": "z", "dependencies": ["t", "l"]}]`},
	{"functions", `"steps": [{"name": "f", "handler": "function"}, {"name": "g", "handler": "function", "dependencies": ["f"], "timeout_seconds": 100}]`},
}

func (t template) json(namespace string) string {
	strategy := "always_unique"
	if t.name == keyed {
		strategy = "caller_provided"
	}
	return fmt.Sprintf(`{"namespace": %q, "name": %q, "version": "1", "identity_strategy": %q, %s}`, namespace, t.name, strategy, t.rest)
}
