package ui

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

type workersPage struct {
	Workers  []gen.WorkerDetail
	Running  []gen.RunningStep
	Unserved []gen.UnservedStep
	All      bool
}

// alive is the longest silence of a running worker, since a worker reports every few seconds.
const alive = 2 * time.Minute

func (w workersPage) mark() any {
	seen := []any{len(w.Workers), w.Unserved}
	for _, r := range w.Running {
		seen = append(seen, r.StepUUID, r.Attempts)
	}
	return seen
}

// Steps are the steps that a worker runs.
func (w workersPage) Steps(id uuid.UUID) (found []gen.RunningStep) {
	for _, s := range w.Running {
		if s.WorkerUUID != nil && *s.WorkerUUID == id {
			found = append(found, s)
		}
	}
	return found
}

// Alive says whether a worker was seen lately.
func (w workersPage) Alive(now, seen time.Time) bool { return now.Sub(seen) < alive }

func loadWorkers(ctx context.Context, q *query) (page, error) {
	w := workersPage{All: text(q.value("all")) != ""}
	within := time.Hour
	limit := int32(200)
	var err error
	if w.All {
		within = 30 * day
	}
	if w.Workers, err = q.ListWorkers(q.sorted(ctx), within); err != nil {
		return page{}, err
	}
	if w.Running, err = q.ListRunningSteps(ctx, "", limit); err != nil {
		return page{}, err
	}
	w.Unserved, err = q.ListUnservedSteps(ctx, nil)
	return page{title: "Workers", data: w}, err
}

type queuesPage struct {
	Namespaces []gen.TaskNamespace
	Queues     []gen.QueueHealth
	Messages   []gen.QueueStatistics
	Refused    *Problem
}

func (p queuesPage) mark() any {
	seen := []any{p.Messages, len(p.Namespaces)}
	for _, x := range p.Queues {
		seen = append(seen, x.NamespaceName, x.Lane, x.ReadySteps, x.LeasedSteps, x.Paused)
	}
	return seen
}

func loadQueues(ctx context.Context, q *query) (page, error) {
	var (
		p   queuesPage
		err error
	)
	if p.Namespaces, err = q.ListNamespaces(ctx); err != nil {
		return page{}, err
	}
	if p.Queues, err = q.GetQueueHealth(q.sorted(ctx)); err != nil {
		return page{}, err
	}
	p.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
		p.Messages, err = e.GetQueueStatistics(ctx, "")
		return err
	})
	return page{title: "Queues", data: p}, err
}

// namespaceActions pause and resume a namespace.
func namespaceActions() map[string]action {
	const path = "/namespaces/{namespace}"
	on := func(title, button string, effects []string, do func(ctx context.Context, q *query, namespace string, form url.Values) (Note, error)) action {
		return action{
			name: "namespace", section: "queues",
			ask: func(ctx context.Context, q *query) (question, error) {
				name := q.r.PathValue("namespace")
				all, err := q.ListNamespaces(ctx)
				if err != nil {
					return question{}, err
				}
				for _, n := range all {
					if n.Name == name {
						return question{Title: title, Button: button, Effects: effects, About: "Namespace " + name, Back: Root + "/queues", Named: true}, nil
					}
				}
				return question{}, &Problem{Status: 404, Code: "TK404", Detail: "There is no namespace " + cut(name, 60) + ".", Hint: "Queues lists those that there are."}
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				return do(ctx, q, q.r.PathValue("namespace"), form)
			},
		}
	}
	return map[string]action{
		path + "/pause": on("Pause the namespace", "Pause", []string{"None of its steps is claimed until it is resumed. Steps that run finish.", "Tasks can still be created; they wait."},
			func(ctx context.Context, q *query, namespace string, form url.Values) (Note, error) {
				changed, err := q.PauseNamespace(ctx, namespace, act(form))
				return answered(changed, "Namespace "+namespace+" is paused."), err
			}),
		path + "/resume": on("Resume the namespace", "Resume", []string{"Its steps are claimed again, those that wait at once."},
			func(ctx context.Context, q *query, namespace string, form url.Values) (Note, error) {
				changed, err := q.ResumeNamespace(ctx, namespace, act(form))
				return answered(changed, "Namespace "+namespace+" runs again."), err
			}),
	}
}

type partitionsPage struct {
	Status gen.PartitionStatus
	Sizes  []gen.PartitionSize
	Held   []gen.HeldPartition
	Kept   []gen.Retention
}

func (p partitionsPage) mark() any {
	return []any{p.Status.Ranges, p.Status.Problems, len(p.Held), p.Kept}
}

func loadPartitions(ctx context.Context, q *query) (page, error) {
	var (
		p   partitionsPage
		err error
	)
	if p.Status, err = q.PartitionStatus(ctx); err != nil {
		return page{}, err
	}
	if p.Sizes, err = q.PartitionSizes(q.sorted(ctx)); err != nil {
		return page{}, err
	}
	if p.Held, err = q.HeldPartitions(ctx); err != nil {
		return page{}, err
	}
	p.Kept, err = q.ListRetentions(ctx)
	return page{title: "Partitions", data: p}, err
}

type healthPage struct {
	Verdict      *verdict
	Refused      *Problem
	Stale        []gen.TaskStaleness
	Installation []gen.InstallationFinding
	Settings     []executor.Setting
}

func loadHealth(ctx context.Context, q *query) (page, error) {
	var h healthPage
	limit, status := int32(20), "stale"
	var err error
	h.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
		if h.Verdict, err = readVerdict(ctx, e, ""); err != nil {
			return err
		}
		if h.Stale, err = e.GetTaskStaleness(ctx, status, limit); err != nil {
			return err
		}
		h.Installation, err = e.CheckInstallation(ctx)
		return err
	})
	if err != nil {
		return page{}, err
	}
	if _, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error {
		all, err := e.ListSettings(ctx)
		for _, s := range all {
			if s.ChangedAt != nil {
				h.Settings = append(h.Settings, s)
			}
		}
		return err
	}); err != nil {
		return page{}, err
	}
	return page{title: "Health", data: h}, nil
}
