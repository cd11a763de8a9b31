package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const schedulePath = "/v1/schedules/{namespace}/{schedule}"

var scheduleOperations = group(
	"Schedules",
	list("/v1/schedules", "listSchedules", "List the schedules by name",
		func(ctx context.Context, e *direct.Executor, in ofNamespace) ([]gen.Schedule, error) {
			return e.ListSchedules(ctx, value(in.Namespace))
		}).sorted("list_schedules"),
	read(schedulePath, "getSchedule", "Get a schedule", getSchedule),
	write(http.MethodPut, schedulePath, "setSchedule", "Create a task of a template at every tick, or change that", setSchedule).
		mayRefuse(http.StatusGone).
		and("Give cron or every_seconds. What is left out gets its default, also if the schedule exists: the request says all of it."),
	write(http.MethodDelete, schedulePath, "deleteSchedule", "Delete a schedule; its tasks stay",
		func(ctx context.Context, e *direct.Executor, in scheduleEnd) (changedBody, error) {
			return changed(e.DeleteSchedule(ctx, in.Namespace, in.Schedule, in.act()))
		}),
	write(http.MethodPost, schedulePath+"/pause", "pauseSchedule", "Pause a schedule",
		func(ctx context.Context, e *direct.Executor, in scheduleChange) (changedBody, error) {
			return changed(e.PauseSchedule(ctx, in.Namespace, in.Schedule, in.act()))
		}),
	write(http.MethodPost, schedulePath+"/resume", "resumeSchedule", "Resume a schedule",
		func(ctx context.Context, e *direct.Executor, in scheduleChange) (changedBody, error) {
			return changed(e.ResumeSchedule(ctx, in.Namespace, in.Schedule, in.act()))
		}),
	write(http.MethodPost, schedulePath+"/run", "runSchedule", "Create a task of a schedule now, beside its ticks",
		func(ctx context.Context, e *direct.Executor, in scheduleChange) (gen.ScheduleTick, error) {
			return e.RunScheduleNow(ctx, in.Namespace, in.Schedule, in.act())
		}).
		mayRefuse(http.StatusGone, http.StatusInsufficientStorage).
		and("Each request makes another task."),
	write(http.MethodPost, schedulePath+"/backfill", "backfillSchedule", "Create the tasks of the ticks of a time that has passed",
		func(ctx context.Context, e *direct.Executor, in backfill) (gen.Schedule, error) {
			return e.BackfillSchedule(ctx, sqlfn.BackfillScheduleParams{
				Namespace: in.Namespace, Schedule: in.Schedule, FromAt: value(in.From), UntilAt: value(in.Until), Overlap: cmp.Or(in.Overlap, "one_by_one"),
			}, in.act())
		}).
		and("Without from and until the backfill that runs ends.").mayRefuse(http.StatusPreconditionRequired),
	paged(schedulePath+"/ticks", "listScheduleTicks", "List the ticks of a schedule and what became of them, newest first", listScheduleTicks,
		func(_ schedulePage, last gen.ScheduleTick) cursor {
			return afterNumber("listScheduleTicks", last.TickNo)
		}).sorted("list_schedule_ticks"),
	list(schedulePath+"/next-runs", "listNextRuns", "List the ticks of a schedule to come, and when each is due",
		func(ctx context.Context, e *direct.Executor, in nextRuns) ([]gen.ScheduleRun, error) {
			return e.NextRuns(ctx, in.Namespace, in.Schedule, in.Limit)
		}),
)

// schedule has the namespace and the name of a schedule.
type schedule struct {
	Namespace string `path:"namespace" json:"-" doc:"The schedule's namespace."`
	Schedule  string `path:"schedule" json:"-" doc:"The schedule's name."`
}

type scheduleChange struct {
	schedule
	intent
}

type scheduleEnd struct {
	schedule
	queryIntent
}

type schedulePage struct {
	paging
	schedule
}

type nextRuns struct {
	schedule
	Limit int32 `query:"limit" json:"-" default:"10" minimum:"1" maximum:"1000" doc:"How many at most."`
}

type backfill struct {
	scheduleChange
	From    *time.Time `json:"from,omitempty" doc:"The first tick is at this time or later."`
	Until   *time.Time `json:"until,omitempty" doc:"The last tick is at this time or sooner; it must have passed."`
	Overlap string     `json:"overlap,omitempty" enum:"one_by_one allow" doc:"Whether a task waits for the end of the one before it; one_by_one if it is left out."`
}

type newSchedule struct {
	scheduleChange
	TaskName        string          `json:"task_name" required:"true" doc:"The template's name."`
	TaskVersion     *string         `json:"task_version,omitempty" doc:"The template's version; at each tick the newest if it is left out."`
	Cron            *string         `json:"cron,omitempty" doc:"A cron expression of five fields."`
	EverySeconds    *int32          `json:"every_seconds,omitempty" minimum:"1" doc:"Seconds from tick to tick, instead of cron."`
	Timezone        string          `json:"timezone,omitempty" doc:"The time zone of the cron expression; UTC if it is left out."`
	Context         json.RawMessage `json:"context,omitempty" doc:"The object that the tasks' handlers get."`
	Priority        int32           `json:"priority,omitempty" minimum:"-1000" maximum:"1000" doc:"Priority of the tasks that it creates."`
	Tags            []string        `json:"tags,omitempty" doc:"Tags of the tasks that it creates."`
	DeadlineSeconds *int32          `json:"deadline_seconds,omitempty" minimum:"1" doc:"When a task fails if it has not ended, from its creation on."`
	JitterSeconds   int32           `json:"jitter_seconds,omitempty" minimum:"0" doc:"How much later than its time a tick may be due."`
	StartsAt        *time.Time      `json:"starts_at,omitempty" doc:"No tick is sooner."`
	EndsAt          *time.Time      `json:"ends_at,omitempty" doc:"No tick is later."`
	CatchUp         string          `json:"catch_up,omitempty" enum:"skip one all" doc:"What becomes of ticks that were missed; one if it is left out."`
	CatchUpLimit    int32           `json:"catch_up_limit,omitempty" minimum:"1" doc:"How many missed ticks in a row get their tasks with all; 100 if it is left out."`
	Overlap         string          `json:"overlap,omitempty" enum:"allow skip queue_one" doc:"What becomes of a tick while a task of the schedule runs; allow if it is left out."`
}

func setSchedule(ctx context.Context, e *direct.Executor, in newSchedule) (gen.Schedule, error) {
	if in.Context == nil {
		in.Context = json.RawMessage("{}")
	}
	if in.Tags == nil {
		in.Tags = []string{}
	}
	return e.SetSchedule(ctx, sqlfn.SetScheduleParams{
		Namespace: in.Namespace, Schedule: in.Schedule, TaskName: in.TaskName, TaskVersion: value(in.TaskVersion), Cron: value(in.Cron), EverySeconds: value(in.EverySeconds),
		Timezone: cmp.Or(in.Timezone, "UTC"), Context: in.Context, Priority: in.Priority, Tags: in.Tags, DeadlineSeconds: value(in.DeadlineSeconds),
		JitterSeconds: in.JitterSeconds, StartsAt: value(in.StartsAt), EndsAt: value(in.EndsAt), CatchUp: cmp.Or(in.CatchUp, "one"),
		CatchUpLimit: cmp.Or(in.CatchUpLimit, 100), Overlap: cmp.Or(in.Overlap, "allow"),
	}, in.act())
}

func getSchedule(ctx context.Context, e *direct.Executor, in schedule) (gen.Schedule, error) {
	all, err := e.ListSchedules(ctx, in.Namespace)
	if err != nil {
		return gen.Schedule{}, err
	}
	at := slices.IndexFunc(all, func(s gen.Schedule) bool { return s.Schedule == in.Schedule })
	if at < 0 {
		return gen.Schedule{}, &problemBody{
			Status: http.StatusNotFound, Code: "TK404", Detail: fmt.Sprintf("schedule %q does not exist", cut(in.Namespace)+"/"+cut(in.Schedule)),
			Hint: "GET /v1/schedules lists them.",
		}
	}
	return all[at], nil
}

func listScheduleTicks(ctx context.Context, e *direct.Executor, in schedulePage) ([]gen.ScheduleTick, error) {
	before, err := in.Cursor.number("listScheduleTicks")
	if err != nil {
		return nil, err
	}
	return e.ListScheduleTicks(ctx, sqlfn.ListScheduleTicksParams{Namespace: in.Namespace, Schedule: in.Schedule, Limit: in.Limit, Before: value(before)})
}
