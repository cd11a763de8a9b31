package ui

import (
	"context"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// column is an attribute in the list of tasks. Sort leads to the list in its order, or in the other order.
type column struct{ Name, Sort, Arrow, Says string }

var (
	attributeSort = regexp.MustCompile(`^-?[a-z][a-z0-9_]*$`)
	attributeName = regexp.MustCompile(`^[a-z][a-z0-9_]*`)
)

// sorted returns true if the list has the order of an attribute.
func (f taskFilters) sorted() bool {
	return f.Sort != "newest" && f.Sort != "oldest" && attributeSort.MatchString(f.Sort)
}

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
		name := attributeName.FindString(named)
		if name == "" || t.has(name) {
			continue
		}
		c := column{Name: name, Sort: with(q.r.URL, "before", "", "sort", name), Says: "sort by it"}
		switch p.Sort {
		case name:
			c.Sort, c.Arrow, c.Says = with(q.r.URL, "before", "", "sort", "-"+name), "↑", "the smallest first; show the largest first"
		case "-" + name:
			c.Arrow, c.Says = "↓", "the largest first; show the smallest first"
		}
		t.Columns = append(t.Columns, c)
	}
	t.Attributes, err = q.readAttributes(ctx, t.Tasks)
	return err
}

func (t *tasksPage) has(name string) bool {
	for _, c := range t.Columns {
		if c.Name == name {
			return true
		}
	}
	return false
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
