package ui

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

type searchPage struct {
	Query  string
	Groups []found
	Now    time.Time
}

// found is the outcome of one way of searching.
type found struct {
	How   string
	Tasks []executor.TaskDetail
}

var shortForm = regexp.MustCompile(`^(?i)[0-9a-f]{4,8}$`)

// These bound how far back tags are searched, and how many tasks of each kind are shown.
const (
	searchedFor = 30 * day
	foundMost   = 20
)

// loadSearch searches for a task by any of its marks: its id or a step's id, whole or short, its identity key, its
// correlation id, or a tag. If one task is found, it is shown at once.
func loadSearch(ctx context.Context, q *query) (page, error) {
	s := searchPage{Query: text(q.value("q")), Now: q.now}
	if s.Query == "" {
		return page{title: "Search", data: s, still: true}, nil
	}
	if id, err := uuid.Parse(s.Query); err == nil && len(s.Query) == 36 {
		return s.byUUID(ctx, q, id)
	}
	wanted, kind := s.Query, ""
	for _, prefix := range []string{"key:", "tag:"} {
		if rest, ok := strings.CutPrefix(s.Query, prefix); ok {
			wanted, kind = strings.TrimSpace(rest), prefix
		}
	}
	limit, since := int32(foundMost), q.now.Add(-searchedFor)
	ways := []struct {
		how, kind string
		suits     bool
		look      func(e *executor.SqlFunctionExecutor) ([]executor.TaskDetail, error)
	}{
		{"with this short id", "id:", kind == "" && shortForm.MatchString(wanted), func(e *executor.SqlFunctionExecutor) ([]executor.TaskDetail, error) {
			return e.FindTasksByShortID(ctx, strings.ToLower(wanted))
		}},
		{"with this identity key", "key:", kind != "tag:", func(e *executor.SqlFunctionExecutor) ([]executor.TaskDetail, error) {
			return e.FindTasksByKey(ctx, wanted, "", "")
		}},
		{"with this tag, of the last 30 days", "tag:", kind != "key:", func(e *executor.SqlFunctionExecutor) ([]executor.TaskDetail, error) {
			return e.ListTasks(ctx, sqlfn.ListTasksParams{Tags: []string{wanted}, RequestedAfter: since, Limit: limit})
		}},
	}
	total := 0
	for _, way := range ways {
		if !way.suits {
			continue
		}
		var tasks []executor.TaskDetail
		if _, err := q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
			tasks, err = way.look(e)
			return err
		}); err != nil {
			return page{}, err
		}
		if len(tasks) > 0 {
			s.Groups = append(s.Groups, found{way.how, tasks[:min(len(tasks), foundMost)]})
			total += len(tasks)
		}
	}
	if total == 1 {
		return page{goTo: taskPath(s.Groups[0].Tasks[0].TaskUUID)}, nil
	}
	return page{title: "Search", data: s, still: true}, nil
}

// byUUID finds a task, a step, a dead letter or a correlation by its UUID.
func (s searchPage) byUUID(ctx context.Context, q *query, id uuid.UUID) (page, error) {
	goTo := ""
	try := func(path string, look func(e *executor.SqlFunctionExecutor) error) {
		if goTo != "" {
			return
		}
		savepoint, err := q.tx.Begin(ctx)
		if err != nil {
			return
		}
		if look(executor.New(savepoint)) == nil {
			goTo = path
		}
		_ = savepoint.Rollback(ctx)
	}
	try(taskPath(taskOf(id)), func(e *executor.SqlFunctionExecutor) error {
		_, err := e.GetCurrentTaskState(ctx, taskOf(id))
		return err
	})
	if goTo != "" && stepNo(id) != 0 {
		goTo = stepPath(id)
	}
	try(Root+"/dead-letters/"+id.String(), func(e *executor.SqlFunctionExecutor) error {
		_, err := e.GetDLQEntry(ctx, id)
		return err
	})
	if goTo != "" {
		return page{goTo: goTo}, nil
	}
	limit := int32(foundMost)
	tasks, err := q.ListTasks(ctx, sqlfn.ListTasksParams{CorrelationID: id, Limit: limit})
	if err != nil {
		return page{}, err
	}
	if len(tasks) == 1 {
		return page{goTo: taskPath(tasks[0].TaskUUID)}, nil
	}
	if len(tasks) > 0 {
		s.Groups = []found{{"with this correlation id", tasks}}
	}
	return page{title: "Search", data: s, still: true}, nil
}
