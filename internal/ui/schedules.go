package ui

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

type schedulesPage struct {
	Namespace string
	Schedules []gen.Schedule
}

func (s schedulesPage) mark() any {
	seen := []any{s.Namespace}
	for _, x := range s.Schedules {
		seen = append(seen, x.ScheduleUUID, x.TickCount, x.NextTickAt, x.PausedAt, x.LastError, x.LastErrorAt, x.UpdatedAt, x.RunningTasks)
	}
	return seen
}

func loadSchedules(ctx context.Context, q *query) (page, error) {
	s := schedulesPage{Namespace: text(q.value("namespace"))}
	var err error
	s.Schedules, err = q.ListSchedules(q.sorted(ctx), s.Namespace)
	return page{title: "Schedules", data: s}, err
}

type schedulePage struct {
	Schedule    gen.Schedule
	Next        []gen.ScheduleRun
	Ticks       []gen.ScheduleTick
	Older       string
	Actions     []offer
	When, Notes string
}

func (s schedulePage) mark() any {
	return []any{s.Schedule.TickCount, s.Schedule.NextTickAt, s.Schedule.PausedAt, s.Schedule.LastErrorAt, s.Schedule.UpdatedAt, s.Schedule.BackfillNextAt, s.Ticks}
}

// readSchedule reads the schedule of the path.
func (q *query) readSchedule(ctx context.Context) (gen.Schedule, error) {
	namespace, name := q.r.PathValue("namespace"), q.r.PathValue("name")
	all, err := q.ListSchedules(ctx, namespace)
	if err != nil {
		return gen.Schedule{}, err
	}
	for _, s := range all {
		if s.Schedule == name {
			return s, nil
		}
	}
	return gen.Schedule{}, &Problem{Status: 404, Code: "TK404", Detail: "There is no schedule " + cut(namespace+"/"+name, 100) + ".", Hint: "The list shows those that there are."}
}

func loadSchedule(ctx context.Context, q *query) (page, error) {
	s, err := q.readSchedule(ctx)
	if err != nil {
		return page{}, err
	}
	shown := schedulePage{Schedule: s, When: scheduleWhen(s), Notes: scheduleNotes(s)}
	if shown.Next, err = q.NextRuns(ctx, s.Namespace, s.Schedule, 8); err != nil {
		return page{}, err
	}
	listed, limit := q.paged(ctx, pageSize)
	params := sqlfn.ListScheduleTicksParams{Namespace: s.Namespace, Schedule: s.Schedule, Limit: limit}
	var before int64
	if n, err := fmt.Sscan(text(q.value("before")), &before); err == nil && n == 1 {
		params.Before = before
	}
	if shown.Ticks, err = q.ListScheduleTicks(listed, params); err != nil {
		return page{}, err
	}
	if len(shown.Ticks) > pageSize {
		shown.Ticks = shown.Ticks[:pageSize]
		shown.Older = q.next(pageSize, "before", fmt.Sprint(shown.Ticks[pageSize-1].TickNo))
	}
	path := schedulePath(s)
	shown.Actions = []offer{{"schedule", "Run now…", path + "/run", false}, {"schedule", "Change…", path + "/edit", false}}
	if s.PausedAt == nil {
		shown.Actions = append(shown.Actions, offer{"schedule", "Pause…", path + "/pause", false})
	} else {
		shown.Actions = append(shown.Actions, offer{"schedule", "Resume…", path + "/resume", false})
	}
	if s.BackfillNextAt == nil {
		shown.Actions = append(shown.Actions, offer{"schedule", "Backfill…", path + "/backfill", false})
	} else {
		shown.Actions = append(shown.Actions, offer{"schedule", "End the backfill…", path + "/end-backfill", false})
	}
	return page{title: s.Schedule + " · schedule", data: shown}, nil
}

func schedulePath(s gen.Schedule) string {
	return Root + "/schedules/" + url.PathEscape(s.Namespace) + "/" + url.PathEscape(s.Schedule)
}

// scheduleWhen describes when a schedule ticks.
func scheduleWhen(s gen.Schedule) string {
	if s.EverySeconds != nil {
		return "every " + span(time.Duration(*s.EverySeconds)*time.Second)
	}
	return text(s.Cron) + " " + s.Timezone
}

// scheduleNotes describe the obstacles to a schedule's ticks, and its other work.
func scheduleNotes(s gen.Schedule) string {
	var notes []string
	if s.PausedAt != nil {
		notes = append(notes, strings.TrimSuffix("paused by "+text(s.PausedBy), " by "))
	}
	if s.LastError != nil {
		notes = append(notes, fmt.Sprintf("failed %d times: %s", s.Failures, *s.LastError))
	}
	if s.QueuedTickAt != nil {
		notes = append(notes, "a tick waits for the running task")
	}
	if s.BackfillNextAt != nil {
		notes = append(notes, "is backfilled")
	}
	if s.NextTickAt == nil {
		notes = append(notes, "has ended")
	}
	return strings.Join(notes, ", ")
}

// onSchedule makes an action on the schedule of the path.
func onSchedule(title, button, effect string, do func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error), idle func(gen.Schedule) string) action {
	return action{
		name: "schedule", section: "schedules",
		ask: func(ctx context.Context, q *query) (question, error) {
			s, err := q.readSchedule(ctx)
			return question{
				Title: title, Button: button, About: s.Namespace + "/" + s.Schedule + ", which creates tasks of " + s.TaskName,
				Effects: []string{effect}, Back: schedulePath(s), Idle: idle(s), Named: true,
			}, err
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			s, err := q.readSchedule(ctx)
			if err != nil {
				return Note{}, err
			}
			return do(ctx, q, s, form)
		},
	}
}

func scheduleActions() map[string]action {
	const path = "/schedules/{namespace}/{name}"
	never := func(gen.Schedule) string { return "" }
	return map[string]action{
		path + "/run": onSchedule("Run the schedule now", "Run now", "A task is created now, besides the ticks to come; overlap is treated as at a tick.",
			func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error) {
				tick, err := q.RunScheduleNow(ctx, s.Namespace, s.Schedule, act(form))
				if err != nil {
					return Note{}, err
				}
				said := "The schedule ticked: " + spaced(tick.Outcome) + "."
				if tick.Reason != nil {
					said += " " + *tick.Reason
				}
				return Note{Done: tick.TaskUUID != nil, Text: said}, nil
			}, never),
		path + "/pause": onSchedule("Pause the schedule", "Pause", "No task is created by it until it is resumed. Tasks that run go on.",
			func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error) {
				changed, err := q.PauseSchedule(ctx, s.Namespace, s.Schedule, act(form))
				return answered(changed, "The schedule is paused."), err
			}, func(s gen.Schedule) string {
				if s.PausedAt != nil {
					return "The schedule is paused already."
				}
				return ""
			}),
		path + "/resume": onSchedule("Resume the schedule", "Resume", "It ticks again. The ticks that it missed are treated as its catch-up says.",
			func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error) {
				changed, err := q.ResumeSchedule(ctx, s.Namespace, s.Schedule, act(form))
				return answered(changed, "The schedule ticks again."), err
			}, func(s gen.Schedule) string {
				if s.PausedAt == nil {
					return "The schedule is not paused."
				}
				return ""
			}),
		"/schedules/new":       newSchedule,
		path + "/edit":         editSchedule,
		path + "/backfill":     backfillSchedule,
		path + "/end-backfill": endBackfill,
	}
}
