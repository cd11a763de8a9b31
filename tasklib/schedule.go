package tasklib

import (
	"context"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// Schedule says when a task recurs.
type Schedule struct {
	// Name of the schedule. Storing a schedule with the same name changes the schedule.
	Name string
	// Cron expression: minute, hour, day of month, month, weekday.
	Cron string
	// Timezone by name. Default: UTC.
	Timezone string
	// Missed says how the schedule treats ticks that came while no worker ran. Default: executor.MissedOnce.
	Missed executor.Missed
	// Priority of the tasks.
	Priority int32
	// Tags of the tasks, beside the tags for schedule and tick.
	Tags map[string]any
}

type schedule struct{ params gen.ScheduleTaskParams }

// Every submits the task with these arguments at every tick of the schedule, once even with many workers. The schedule is stored by
// [Client.Sync], which a worker calls when it starts. The worker's role then also needs tasklib_submitter. The schedule stays until it is
// unscheduled.
func (t *Task[Args, Result]) Every(s Schedule, args Args) error {
	params, err := t.scheduleParams(s, args)
	if err != nil {
		return err
	}
	t.client.mu.Lock()
	defer t.client.mu.Unlock()
	t.client.schedules = append(t.client.schedules, schedule{params})
	return nil
}

// Schedule stores a schedule at once, on a pool or in the caller's transaction.
func (t *Task[Args, Result]) Schedule(ctx context.Context, db executor.DBTX, s Schedule, args Args) (gen.Schedule, error) {
	params, err := t.scheduleParams(s, args)
	if err != nil {
		return gen.Schedule{}, err
	}
	return NewFunctions(db).ScheduleTask(ctx, params)
}

func (t *Task[Args, Result]) scheduleParams(s Schedule, args Args) (gen.ScheduleTaskParams, error) {
	kwargs, err := t.args.encode(args)
	if err != nil {
		return gen.ScheduleTaskParams{}, err
	}
	_, _, tags, err := SubmitOptions{Tags: s.Tags}.encode()
	return gen.ScheduleTaskParams{
		Schedule: s.Name,
		Name:     t.r.name,
		Cron:     s.Cron,
		Timezone: first(s.Timezone, "UTC"),
		Kwargs:   kwargs,
		Missed:   missed(s.Missed),
		Priority: s.Priority,
		Tags:     tags,
	}, err
}

// missed returns the word of schema tasklib for a rule about missed ticks.
func missed(m executor.Missed) string {
	if m == "" || m == executor.MissedOnce {
		return "once"
	}
	return string(m)
}
