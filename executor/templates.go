package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Templates registers task templates and namespaces. See [Client.Templates]. Packages workflow and template make templates from
// Go and YAML.
type Templates struct{ e *SqlFunctionExecutor }

// TemplateRef names a version of a template.
type TemplateRef struct {
	Namespace string
	Name      string
	// Version of the template. Default: the newest one that is not retired.
	Version string
}

// Register registers a template. The error is ErrConflict if the version is already registered with other content.
func (t Templates) Register(ctx context.Context, template json.RawMessage, by ...By) (gen.TemplateRegistration, error) {
	return t.e.RegisterTaskTemplate(ctx, template, by...)
}

// Validate returns the problems of a template. It returns no problems if the template can be registered.
func (t Templates) Validate(ctx context.Context, template json.RawMessage) ([]gen.TemplateProblem, error) {
	return t.e.ValidateTaskTemplate(ctx, template)
}

// Get returns a version of a template.
func (t Templates) Get(ctx context.Context, template TemplateRef) (gen.TaskTemplate, error) {
	return t.e.GetTaskTemplate(ctx, template.Namespace, template.Name, template.Version)
}

// List lists the versions of the templates of a namespace, or of all namespaces if namespace is empty.
func (t Templates) List(ctx context.Context, namespace string) iter.Seq2[gen.TaskTemplateSummary, error] {
	return one(func() ([]gen.TaskTemplateSummary, error) { return t.e.ListTaskTemplates(ctx, namespace) })
}

// Retire retires a version of a template: no new tasks of the version can be created. Existing tasks keep running.
func (t Templates) Retire(ctx context.Context, template TemplateRef, by By) (bool, error) {
	return t.e.RetireTaskTemplate(ctx, template.Namespace, template.Name, template.Version, by)
}

// NamespaceOptions hold the properties of a namespace. A field with its zero value changes nothing.
type NamespaceOptions struct {
	Description string
	// Transport of the ready steps: "database" or "broker". Default: database.
	Transport string
}

// SetNamespace registers a namespace, or changes the properties that the options name.
func (t Templates) SetNamespace(ctx context.Context, namespace string, options NamespaceOptions, by By) (gen.TaskNamespace, error) {
	return t.e.RegisterNamespace(ctx, sqlfn.RegisterNamespaceParams{
		Name: namespace, Description: optional(options.Description), Transport: options.Transport,
	}, by)
}

// Namespaces lists the namespaces by name.
func (t Templates) Namespaces(ctx context.Context) iter.Seq2[gen.TaskNamespace, error] {
	return one(func() ([]gen.TaskNamespace, error) { return t.e.ListNamespaces(ctx) })
}

// Schedules manages schedules, which create tasks at regular times. See [Client.Schedules].
type Schedules struct{ e *SqlFunctionExecutor }

// ScheduleRequest says when tasks of a template are created. Name, Task and either Cron or Every are required.
type ScheduleRequest struct {
	// Name of the schedule in the namespace of its template. A request with the name of an existing schedule changes that schedule.
	Name string
	// Task is the template of the tasks. If its Version is empty, each tick uses the newest version.
	Task TemplateRef
	// Cron is a cron expression with five fields: minute, hour, day of the month, month, day of the week.
	Cron string
	// Every is the interval between ticks, in whole seconds.
	Every time.Duration
	// Timezone is the name of the time zone of Cron. Default: UTC.
	Timezone string
	// Context of the tasks, a JSON object. Default: {}.
	Context json.RawMessage
	// Priority and Tags of the tasks.
	Priority int32
	Tags     []string
	// Deadline is how long a task may take before it fails. Default: no deadline.
	Deadline time.Duration
	// Jitter is the longest delay of a tick. Each tick is delayed by a part of this time. Default: no delay.
	Jitter time.Duration
	// StartsAt and EndsAt bound the ticks. Default: no bounds.
	StartsAt, EndsAt time.Time
	// Missed says how the schedule treats ticks that came while no worker ran. Default: [MissedOnce].
	Missed Missed
	// MissedLimit is how many missed ticks [MissedAll] makes up for. Default: 100.
	MissedLimit int32
	// Overlap says how the schedule treats a tick that comes while its last task is open. Default: [OverlapAllow].
	Overlap Overlap
}

// Missed says how a schedule treats ticks that came while no worker ran.
type Missed string

// The policies for missed ticks.
const (
	// MissedSkip skips missed ticks.
	MissedSkip Missed = "skip"
	// MissedOnce makes up for all missed ticks with one task.
	MissedOnce Missed = "one"
	// MissedAll creates a task for each missed tick.
	MissedAll Missed = "all"
)

// Overlap says how a schedule treats a tick that comes while its last task is open.
type Overlap string

// The policies for overlap.
const (
	// OverlapAllow creates the task.
	OverlapAllow Overlap = "allow"
	// OverlapSkip skips the tick.
	OverlapSkip Overlap = "skip"
	// OverlapQueue creates one task when the last task has ended.
	OverlapQueue Overlap = "queue_one"
)

// Set creates a schedule or changes the schedule with the same name. A repeated call with the same content changes nothing.
func (s Schedules) Set(ctx context.Context, schedule ScheduleRequest, by By) (gen.Schedule, error) {
	every, err := wholeSeconds("Every", schedule.Every)
	if err != nil {
		return gen.Schedule{}, err
	}
	deadline, err := wholeSeconds("Deadline", schedule.Deadline)
	if err != nil {
		return gen.Schedule{}, err
	}
	jitter, err := wholeSeconds("Jitter", schedule.Jitter)
	if err != nil {
		return gen.Schedule{}, err
	}
	object, err := jsonObject(schedule.Context)
	if err != nil {
		return gen.Schedule{}, fmt.Errorf("context: %w", err)
	}
	return s.e.SetSchedule(ctx, sqlfn.SetScheduleParams{
		Namespace: schedule.Task.Namespace, Schedule: schedule.Name, TaskName: schedule.Task.Name, TaskVersion: schedule.Task.Version,
		Cron: schedule.Cron, EverySeconds: every, Timezone: cmp.Or(schedule.Timezone, "UTC"), Context: object,
		Priority: schedule.Priority, Tags: schedule.Tags, DeadlineSeconds: deadline, JitterSeconds: jitter,
		StartsAt: schedule.StartsAt, EndsAt: schedule.EndsAt,
		CatchUp: string(cmp.Or(schedule.Missed, MissedOnce)), CatchUpLimit: cmp.Or(schedule.MissedLimit, 100),
		Overlap: string(cmp.Or(schedule.Overlap, OverlapAllow)),
	}, by)
}

// List lists the schedules of a namespace, or of all namespaces if namespace is empty.
func (s Schedules) List(ctx context.Context, namespace string) iter.Seq2[gen.Schedule, error] {
	return one(func() ([]gen.Schedule, error) { return s.e.ListSchedules(ctx, namespace) })
}

// Delete ends a schedule. The tasks that it created stay.
func (s Schedules) Delete(ctx context.Context, schedule Ref, by By) (bool, error) {
	return s.e.DeleteSchedule(ctx, schedule.Namespace, schedule.Name, by)
}

// Pause stops the ticks of a schedule until Resume.
func (s Schedules) Pause(ctx context.Context, schedule Ref, by By) (bool, error) {
	return s.e.PauseSchedule(ctx, schedule.Namespace, schedule.Name, by)
}

// Resume continues a schedule from its next tick.
func (s Schedules) Resume(ctx context.Context, schedule Ref, by By) (bool, error) {
	return s.e.ResumeSchedule(ctx, schedule.Namespace, schedule.Name, by)
}

// RunNow creates a task at once, in the same way as a tick. The actor becomes the initiator of the task.
func (s Schedules) RunNow(ctx context.Context, schedule Ref, by By) (gen.ScheduleTick, error) {
	return s.e.RunScheduleNow(ctx, schedule.Namespace, schedule.Name, by)
}

// Backfill says for which past ticks to create tasks. The span from From until Until includes both ends.
type Backfill struct {
	From, Until time.Time
	// Overlap says whether the tasks wait for one another. Default: the policy of the schedule.
	Overlap Overlap
}

// Backfill creates the tasks of a past span of time. The error is ErrConflict if another backfill of the schedule runs.
func (s Schedules) Backfill(ctx context.Context, schedule Ref, backfill Backfill, by By) (gen.Schedule, error) {
	return s.e.BackfillSchedule(ctx, sqlfn.BackfillScheduleParams{
		Namespace: schedule.Namespace, Schedule: schedule.Name, FromAt: backfill.From, UntilAt: backfill.Until,
		Overlap: string(backfill.Overlap),
	}, by)
}

// Ticks lists the outcomes of a schedule's ticks, the newest first. An outcome is a task, or the reason why no task was created.
func (s Schedules) Ticks(ctx context.Context, schedule Ref) iter.Seq2[gen.ScheduleTick, error] {
	return pages(0, func(last *gen.ScheduleTick, rows int32) ([]gen.ScheduleTick, error) {
		params := sqlfn.ListScheduleTicksParams{Namespace: schedule.Namespace, Schedule: schedule.Name, Limit: rows}
		if last != nil {
			params.Before = last.TickNo
		}
		return s.e.ListScheduleTicks(ctx, params)
	})
}

// Limits bounds how many steps run at once, and how many steps start in a period. See [Client.Limits].
type Limits struct{ e *SqlFunctionExecutor }

// Bounds are the bounds of a limit for the steps that name the limit. The zero value sets no bounds.
type Bounds struct {
	// Running is how many steps run at once. If the steps have keys, the bound holds for each key. Default: no bound.
	Running int32
	// Starts is how many steps start in each Period. Default: no bound.
	Starts int32
	// Period of Starts, in whole seconds. Default: 1 s.
	Period time.Duration
	// Burst is how many steps may start at once. Default: Starts.
	Burst int32
}

// Set sets the bounds of a limit, also for steps that already run.
func (l Limits) Set(ctx context.Context, limit Ref, bounds Bounds, by By) (gen.LimitDetail, error) {
	period, err := wholeSeconds("Period", bounds.Period)
	if err != nil {
		return gen.LimitDetail{}, err
	}
	return l.e.SetLimit(ctx, sqlfn.SetLimitParams{
		Namespace: limit.Namespace, Name: limit.Name, Concurrency: optional(bounds.Running), Rate: optional(bounds.Starts),
		PerSeconds: period, Burst: bounds.Burst,
	}, by)
}

// SetKey sets bounds for one key of a limit. They replace the bounds of the limit for this key. Steps without a value at the key's path
// have the empty key.
func (l Limits) SetKey(ctx context.Context, limit Ref, key string, bounds Bounds, by By) (gen.LimitKeyDetail, error) {
	period, err := wholeSeconds("Period", bounds.Period)
	if err != nil {
		return gen.LimitKeyDetail{}, err
	}
	return l.e.SetLimitKey(ctx, sqlfn.SetLimitKeyParams{
		Namespace: limit.Namespace, Name: limit.Name, LimitKey: key, Concurrency: optional(bounds.Running), Rate: optional(bounds.Starts),
		PerSeconds: period, Burst: bounds.Burst,
	}, by)
}

// DropKey removes the bounds that were set for one key of a limit, and reports whether the key had such bounds.
func (l Limits) DropKey(ctx context.Context, limit Ref, key string, by By) (bool, error) {
	return l.e.DropLimitKey(ctx, limit.Namespace, limit.Name, key, by)
}

// Drop removes a limit. Steps that name the limit then run without bound.
func (l Limits) Drop(ctx context.Context, limit Ref, by By) (bool, error) {
	return l.e.DropLimit(ctx, limit.Namespace, limit.Name, by)
}

// List lists the limits of a namespace, or of all namespaces if namespace is empty, each with its current use.
func (l Limits) List(ctx context.Context, namespace string) iter.Seq2[gen.LimitDetail, error] {
	return one(func() ([]gen.LimitDetail, error) { return l.e.ListLimits(ctx, namespace) })
}

// Keys lists the keys of a limit that have waiting or running steps, or their own bounds, the longest queues first. It returns at most
// 10,000 keys.
func (l Limits) Keys(ctx context.Context, limit Ref) iter.Seq2[gen.LimitKeyDetail, error] {
	return one(func() ([]gen.LimitKeyDetail, error) {
		return l.e.ListLimitKeys(ctx, limit.Namespace, limit.Name, 10_000)
	})
}
