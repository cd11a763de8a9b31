package executor

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// SelectionFilters returns the filters of a list of tasks in the form that selections take, so that the listed tasks can be counted, stored
// and changed. Selections have no filter for the parent of a task.
func SelectionFilters(p sqlfn.ListTasksParams) map[string]any {
	filters := map[string]any{}
	for name, value := range map[string]string{
		"namespace": p.Namespace, "name": p.Name, "version": p.Version, "state": p.State, "identity_key": p.IdentityKey, "initiator": p.Initiator,
		"schedule": p.Schedule, "handler": p.Handler, "step": p.Step, "error": p.Error, "where": p.Where,
	} {
		if value != "" {
			filters[name] = value
		}
	}
	if len(p.Tags) > 0 {
		filters["tags"] = p.Tags
	}
	if len(p.Attributes) > 0 {
		filters["attributes"] = p.Attributes
	}
	if p.CorrelationID != uuid.Nil {
		filters["correlation_id"] = p.CorrelationID
	}
	for name, at := range map[string]time.Time{"requested_after": p.RequestedAfter, "requested_before": p.RequestedBefore} {
		if !at.IsZero() {
			filters[name] = at.UTC().Format(time.RFC3339Nano)
		}
	}
	if p.LongerThan > 0 {
		filters["longer_than"] = fmt.Sprintf("%d milliseconds", p.LongerThan.Milliseconds())
	}
	return filters
}
