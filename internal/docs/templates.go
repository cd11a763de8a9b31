package docs

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// templateField is a row of tasker.template_fields.
type templateField struct {
	Object, Field, Type string
	Required, Whole     bool
	Minimum, Maximum    *string
	Pattern             *string
	Choices             []string
	Description         string
}

func readTemplateFields(ctx context.Context, pool *pgxpool.Pool) ([]templateField, error) {
	rows, err := pool.Query(ctx, `
		select f.object, f.field, f.json_type, f.required, f.whole, f.minimum::text, f.maximum::text, f.pattern, f.choices, f.description
		  from tasker.template_fields as f
		 order by f.object, f.position`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f templateField, err error) {
		return f, row.Scan(&f.Object, &f.Field, &f.Type, &f.Required, &f.Whole, &f.Minimum, &f.Maximum, &f.Pattern, &f.Choices, &f.Description)
	})
}

// templateObjects are the objects that a template consists of, in the order of docs/templates.md.
var templateObjects = []string{"template", "step", "dependency", "retry", "await", "for_each", "limits", "task", "start_on", "cancel_on", "runs", "lifecycle"}

// templateDefaults are the values of fields that a template leaves out, by object and field.
var templateDefaults = map[string]string{
	"template.version": "0.1.0", "template.description": "none", "template.identity_strategy": "strict", "template.on_failure": "continue",
	"template.lifecycle": "settings", "template.types": "none",
	"template.on_undo": "cancel", "template.input_schema": "none", "template.encrypted": "none", "template.attributes": "none", "template.start_on": "none", "template.cancel_on": "none",

	"start_on.key": "any", "start_on.when": "any payload", "start_on.context": "the payload", "start_on.identity": "the key of the event",

	"cancel_on.key": "any", "cancel_on.when": "any payload", "cancel_on.identity": "the key of the event",

	"template.runs": "none", "runs.key": "one key for all", "runs.max": "1", "runs.order": "created", "runs.further": "wait", "runs.sequence": "false",

	"lifecycle.max_waiting_for_dependencies_minutes": "setting `stale_waiting_for_dependencies_minutes`",
	"lifecycle.max_waiting_for_retry_minutes":        "setting `stale_waiting_for_retry_minutes`",
	"lifecycle.max_steps_in_process_minutes":         "setting `stale_steps_in_process_minutes`",

	"step.description": "none", "step.handler": "the step's name", "step.dependencies": "none", "step.join": "all", "step.retry": "settings",
	"step.timeout_seconds": "none", "step.priority": "0", "step.initialization": "none", "step.await": "none", "step.timeout": "none",
	"step.on_timeout": "fail", "step.assignee": "none", "step.task": "none", "step.for_each": "none", "step.max_parallel": "all",
	"step.allow_failures": "none", "step.compensate": "none", "step.limit": "none", "step.limit_key": "one key for all",
	"step.limit_units": "1", "step.limit_hold": "claim", "step.limit_bound": "none", "step.limit_bound_max": "none", "step.limits": "none", "step.start_within": "none", "limits.limit_key": "one key for all", "limits.limit_units": "1", "limits.limit_bound": "none", "limits.limit_bound_max": "none",
	"step.sql": "none",

	"retry.retryable": "true", "retry.max_attempts": "setting `max_attempts`", "retry.backoff": "exponential",
	"retry.base_seconds": "setting `backoff_base`", "retry.multiplier": "setting `backoff_multiplier`",
	"retry.max_seconds": "setting `max_backoff_seconds`",

	"dependency.when": "any success", "dependency.on": "complete",

	"await.signal": "none", "await.event": "none", "await.key": "events without a key", "await.look_back": "60 seconds",
	"await.for": "none", "await.until": "none", "await.when": "any payload", "await.schema": "none",

	"task.namespace": "that of this template", "task.version": "the newest", "task.context": "that of this task", "task.abandon": "false",

	"for_each.path": "$",
}

// templateTable is the part of docs/templates.md about one object.
func templateTable(fields []templateField, object string) string {
	b := newTable("field", "type", "default", "meaning")
	for _, f := range fields {
		if f.Object == object {
			b.row("`"+f.Field+"`", f.kind(), f.fallback(), cell(f.Description))
		}
	}
	return b.String()
}

// fallback returns the default value, in words.
func (f templateField) fallback() string {
	if f.Required {
		return "required"
	}
	return templateDefaults[f.Object+"."+f.Field]
}

// kind returns the type with its bounds.
func (f templateField) kind() string {
	name := f.Type
	switch {
	case len(f.Choices) > 0:
		return "`" + strings.Join(f.Choices, "`, `") + "`"
	case f.Whole:
		name = "whole number"
	case f.Type == "alternatives":
		name = "object or array"
	case f.Type == "elements":
		name = "text or object"
	case f.Type == "string":
		name = "text"
	}
	unit := map[string]string{"string": " characters", "array": " elements", "alternatives": " elements"}[f.Type]
	switch {
	case f.Pattern != nil:
		return name + " like `" + cell(*f.Pattern) + "`"
	case f.Minimum != nil && f.Maximum != nil:
		return fmt.Sprintf("%s, %s to %s%s", name, *f.Minimum, *f.Maximum, unit)
	}
	return name
}

// cell returns a text in the form of a table's cell.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }
