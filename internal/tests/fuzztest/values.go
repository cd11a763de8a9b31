package fuzztest

import (
	"math/rand/v2"
	"strings"
)

// values has expressions that no caller should send, by the type of the argument. No literal contains a backslash, so that they
// mean the same for every value of standard_conforming_strings.
var values = map[string][]string{
	"text": {
		"''", "' '", "'''; drop table tasker.tasks; --'", "'%I %s %1$I %'", "'$$'", "chr(1) || chr(27) || '[2J'", "chr(128512) || chr(8238)",
		"chr(92) || chr(92) || 'x00'", "repeat('x', 1000000)", "repeat(chr(233), 100)", "'null'", "'NaN'", "'-1'", "'1x5'", "'\"'",
		// Paths that PostgreSQL would compile or walk for minutes.
		"'$' || repeat('[0,0]', 60) || ' == 1'", path("(((a?){30}){30})x"), path("(^|$)*(^|$)*(^|$)*(^|$)*(^|$)*(^|$)*(^|$)*(^|$)*"), path("((((((((((a*)*)*)*)*)*)*)*)*){2000}"),
	},
	"integer":          {"0", "-1", "1", "2147483647", "-2147483648", "65535", "65536"},
	"bigint":           {"0", "-1", "9223372036854775807", "-9223372036854775808"},
	"numeric":          {"0", "-1", "'NaN'::numeric", "'Infinity'::numeric", "'-Infinity'::numeric", "1e131071", "1e-16000", "-1e131071"},
	"double precision": {"0", "-1", "'NaN'::float8", "'Infinity'::float8", "1e308", "-1e308"},
	"boolean":          {"true", "false"},
	"bytea":            {"''::bytea", "'x'::bytea", "sha256('x')", "decode(repeat('00', 1000000), 'hex')"},
	"uuid": {
		"gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'::uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
		// A task that is being undone, an ended step of it, and its compensation.
		"(select undone from fuzz_ids)", "(select ended_step from fuzz_ids)", "(select undo_step from fuzz_ids)",
	},
	"timestamp with time zone": {
		"'infinity'::timestamptz", "'-infinity'::timestamptz", "'294276-12-31 23:59:59+00'::timestamptz",
		"'4714-11-24 00:00:00+00 BC'::timestamptz", "'0001-01-01 00:00:00+00'::timestamptz", "'epoch'::timestamptz",
	},
	"interval": {
		"interval '0'", "interval '-1 second'", "interval '178000000 years'", "interval '-178000000 years'",
		"make_interval(months => -1, days => 30)", "interval '1 microsecond'", "interval '10 days'",
	},
	"jsonb": {
		"'null'::jsonb", "'[]'::jsonb", "'{}'::jsonb", "'1'::jsonb", "'\"x\"'::jsonb", "'true'::jsonb", "to_jsonb(1e1000::numeric)",
		"jsonb_build_object('', '', 'event', 1, 'reason', '[]'::jsonb, 'execution_time_ms', 1e20)",
		"(repeat('[', 2000) || repeat(']', 2000))::jsonb", "jsonb_build_object('x', repeat('x', 2000000))",
		"(select jsonb_agg(i) from generate_series(1, 20000) as i)", "(select jsonb_object_agg('f' || i, i) from generate_series(1, 5000) as i)",
		"jsonb_build_object('namespace', 1, 'name', '[]'::jsonb, 'steps', '{}'::jsonb)",
		"jsonb_build_object('namespace', 'fuzz', 'name', 'x', 'steps', jsonb_build_array(1, null, '{}'::jsonb))",
		"jsonb_build_object('namespace', 'fuzz', 'name', 'x', 'steps', jsonb_build_array(jsonb_build_object('name', 'a', 'compensate', repeat('x', 1000)), jsonb_build_object('name', 'b', 'compensate', 1)))",
		// These paths stand in all places of a template, of added steps or of a wait that may have a path.
		"jsonb_build_object('namespace', 'fuzz', 'name', 'x', 'steps', " + costlySteps + ")", costlySteps,
		"jsonb_build_object('await', jsonb_build_object('signal', 's', 'when', " + path("(((a?){30}){30})x") + "))",
		"(select jsonb_build_object('namespace', 'fuzz', 'name', 'wide', 'steps', jsonb_agg(jsonb_build_object('name', 's' || i, 'compensate', 'u'))) from generate_series(1, 2000) as i)",
	},
	"text[]":    {"'{}'::text[]", "array[null]::text[]", "array[array['a', 'b'], array['c', 'd']]", "array[array[null, null], array[null, null]]::text[]", "'[5:6]={a,b}'::text[]", "array_fill('x'::text, array[20000])", "array[repeat('x', 1000000)]"},
	"uuid[]":    {"array(select undone from fuzz_ids)", "array(select undo_step from fuzz_ids)", "'{}'::uuid[]", "array[null]::uuid[]", "array[array[gen_random_uuid()], array[gen_random_uuid()]]", "array_fill(gen_random_uuid(), array[2], array[-5])", "array_fill(gen_random_uuid(), array[20000])"},
	"integer[]": {"'{}'::integer[]", "array[null]::integer[]", "'{{1,2},{3,4}}'::integer[]", "'[-5:-4]={1,2147483647}'::integer[]", "array_fill(-1, array[20000])"},
	"bigint[]":  {"'{}'::bigint[]", "array[null]::bigint[]", "'{{1,2},{3,4}}'::bigint[]", "array[9223372036854775807, -9223372036854775808]", "array_fill(-1::bigint, array[20000])"},
	"boolean[]": {"'{}'::boolean[]", "array[null]::boolean[]", "'{{t,f},{t,f}}'::boolean[]", "array_fill(true, array[20000])"},
	"jsonb[]":   {"'{}'::jsonb[]", "array[null]::jsonb[]", "array[array['{}'], array['[]']]::jsonb[]", "array_fill('{}'::jsonb, array[20000])", "array['null', '1', '[]']::jsonb[]"},
}

// costlySteps is an array of steps. Each of their paths has a costly regular expression.
var costlySteps = strings.ReplaceAll(`replace('[
	{"name": "a", "await": {"signal": "s", "when": "PATH"}},
	{"name": "b", "await": {"event": "e", "key": "PATH"}},
	{"name": "c", "await": {"until": "PATH"}},
	{"name": "d", "for_each": "PATH"},
	{"name": "e", "limit": "l", "limit_key": "PATH"},
	{"name": "f", "task": {"name": "x", "context": {"x": "PATH"}}},
	{"name": "g", "dependencies": [{"step": "e", "when": "PATH"}]}
]', 'PATH', replace(VALUE, '"', chr(92) || '"'))::jsonb`, "VALUE", path("(((a?){30}){30})x"))

// path returns an expression for a jsonpath with a regular expression.
func path(pattern string) string {
	return `'$.x ? (@ like_regex "` + pattern + `")'`
}

// valuesOf returns the values to try for an argument of this type, null first. An unknown type gets null only.
func valuesOf(kind string) []string {
	return append([]string{"null::" + kind}, values[kind]...)
}

// right has the value of an argument, by its name, while another argument is tried. An argument that is not listed here and has
// no default is null.
var right = map[string]string{
	"p_task_uuid":         "(select task from fuzz_ids)",
	"p_task_uuids":        "array(select task from fuzz_ids)",
	"p_step_uuid":         "(select step from fuzz_ids)",
	"p_step_uuids":        "array(select step from fuzz_ids)",
	"p_from_step_uuid":    "(select tasker.step_uuid(task, 1) from fuzz_ids)",
	"p_to_step_uuid":      "(select tasker.step_uuid(task, 3) from fuzz_ids)",
	"p_dlq_entry_uuid":    "(select entry from fuzz_ids)",
	"p_claim_no":          "(select claim_no from fuzz_ids)",
	"p_claim_nos":         "array(select claim_no from fuzz_ids)",
	"p_worker_uuid":       "'01980000-0000-7000-8000-00000000000b'",
	"p_processor_uuid":    "'01980000-0000-7000-8000-00000000000c'",
	"p_namespace":         "'fuzz'",
	"p_name":              "'chain'",
	"p_task_name":         "'chain'",
	"p_queue_name":        "'worker_fuzz_queue'",
	"p_contexts":          "array['{}']::jsonb[]",
	"p_errors":            "array['no']",
	"p_steps":             "'[{\"name\": \"more\", \"compensate\": \"undo\"}]'",
	"p_template":          "'{\"namespace\": \"fuzz\", \"name\": \"other\", \"steps\": [{\"name\": \"a\", \"compensate\": \"undo\"}]}'",
	"p_role_name":         "'tasker_reader'",
	"p_token_hash":        "sha256('fuzz')",
	"p_message":           "'{}'",
	"p_messages":          "array['{}']::jsonb[]",
	"p_msg_ids":           "array[1::bigint]",
	"p_target_msg_id":     "1",
	"p_from_state":        "'in_progress'",
	"p_to_state":          "'enqueued_for_orchestration'",
	"p_state":             "'pending'",
	"p_current_state":     "'pending'",
	"p_resolution_status": "'cancelled'",
	"p_checkpoint":        "'{}'",
	"p_attempts":          "2",
	"p_correlation_id":    "(select task from fuzz_ids)",
	"p_since":             "now() - interval '1 hour'",
	"p_cron":              "'0 7 * * *'",
	"p_timezone":          "'UTC'",
	"p_kwargs":            "'{}'",
	"p_worker_id":         "'w'",
	"p_options":           "'{}'",
	"p_starts_at":         "now()",
}

// argument is one argument of a function, as the catalogue has it.
type argument struct {
	Name     string `json:"name"`
	Kind     string `json:"type"`
	Optional bool   `json:"optional"`
}

// function is a function that a role may call.
type function struct {
	Name      string
	Role      string
	Arguments []argument
}

// leftOut is the value of an argument that a call does not name.
const leftOut = "left out"

// call returns the text of a call. An argument without a value in tried is valid, or left to its default.
func (f function) call(tried map[string]string) string {
	var arguments []string
	for _, a := range f.Arguments {
		value, found := tried[a.Name]
		if !found {
			value = right[a.Name]
			if a.Name == "p_steps" && a.Kind != "jsonb" {
				value = "null" // names of steps, not the steps added to a graph
			}
			if value != "" && a.Kind == "jsonb" && a.Name == "p_state" {
				value = "'{}'" // the state of a durable function, not of a task or a step
			}
		}
		switch {
		case value == leftOut:
		case value != "":
			arguments = append(arguments, a.Name+" => "+value)
		case !a.Optional:
			arguments = append(arguments, a.Name+" => null")
		}
	}
	return "select * from " + f.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// calls returns a call for each value of each argument, then a call with nulls only, then random mixtures.
func (f function) calls(r *rand.Rand, mixtures int) []string {
	texts := []string{f.call(nil)}
	nulls := map[string]string{}
	for _, a := range f.Arguments {
		nulls[a.Name] = "null"
		for _, value := range valuesOf(a.Kind) {
			texts = append(texts, f.call(map[string]string{a.Name: value}))
		}
	}
	texts = append(texts, f.call(nulls))
	for range mixtures {
		tried := map[string]string{}
		for _, a := range f.Arguments {
			if kinds := valuesOf(a.Kind); r.IntN(2) == 0 {
				tried[a.Name] = kinds[r.IntN(len(kinds))]
			}
		}
		texts = append(texts, f.call(tried))
	}
	return texts
}
