package ui

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

var attributeName = regexp.MustCompile(`^[a-z][a-z0-9_]*`)

// attributes reads the attributes that the list is filtered or sorted by.
func (t *tasksPage) attributes(ctx context.Context, q *query, p sqlfn.ListTasksParams) (err error) {
	if t.Filters.Namespace != "" {
		if t.Known, err = q.ListAttributes(ctx, t.Filters.Namespace); err != nil {
			return err
		}
	}
	if len(p.Attributes) == 0 && p.Sort == "" {
		return nil
	}
	for _, named := range append(p.Attributes, strings.TrimPrefix(p.Sort, "-")) {
		if name := attributeName.FindString(named); name != "" && !slices.Contains(t.Columns, name) {
			t.Columns = append(t.Columns, name)
		}
	}
	t.Attributes, err = q.readAttributes(ctx, t.Tasks)
	return err
}

// readAttributes reads the attributes of tasks by task and name.
func (q *query) readAttributes(ctx context.Context, tasks []executor.TaskDetail) (map[uuid.UUID]map[string]gen.AttributeValue, error) {
	uuids := make([]uuid.UUID, len(tasks))
	for i, t := range tasks {
		uuids[i] = t.TaskUUID
	}
	values, err := q.GetTaskAttributes(ctx, uuids)
	found := map[uuid.UUID]map[string]gen.AttributeValue{}
	for _, v := range values {
		if found[v.TaskUUID] == nil {
			found[v.TaskUUID] = map[string]gen.AttributeValue{}
		}
		found[v.TaskUUID][v.Name] = v
	}
	return found, err
}

// attributeText is the value of an attribute as text.
func attributeText(v gen.AttributeValue) string {
	return strings.Trim(string(v.Value), `"`)
}
