package template

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Schedule says when tasks of a template are created. In a file a schedule stands under schedules:
//
//	schedules:
//	  - name: nightly
//	    cron: 0 2 * * *
//	    timezone: Europe/Berlin
//	    context: {region: eu}
//	    overlap: skip
type Schedule struct {
	// Name is the name of the schedule in the template's namespace.
	Name string `json:"name"`
	// Cron is a cron expression with five fields: minute, hour, day of the month, month, day of the week. Either Cron or EverySeconds is
	// set.
	Cron string `json:"cron"`
	// EverySeconds is an interval in seconds.
	EverySeconds *int64 `json:"every_seconds"`
	// Timezone is the name of a time zone. Default: UTC.
	Timezone string `json:"timezone"`
	// Version is the version of the template. If Version is empty, each tick uses the newest version that is not retired.
	Version string `json:"version"`
	// Context is the context of the tasks, a JSON object. Default: {}.
	Context         json.RawMessage `json:"context"`
	Priority        *int64          `json:"priority"`
	Tags            []string        `json:"tags"`
	DeadlineSeconds *int64          `json:"deadline_seconds"`
	// JitterSeconds spreads ticks: it is the longest delay of a tick.
	JitterSeconds *int64 `json:"jitter_seconds"`
	// StartsAt and EndsAt are times in the format of RFC 3339. If they are empty, the schedule has no bounds.
	StartsAt string `json:"starts_at"`
	EndsAt   string `json:"ends_at"`
	// CatchUp decides about missed ticks: skip, one or all. Default: one.
	CatchUp string `json:"catch_up"`
	// CatchUpLimit is how many missed ticks get a task if CatchUp is all. Default: 100.
	CatchUpLimit *int64 `json:"catch_up_limit"`
	// Overlap decides about a tick that comes while a task of the schedule is open: allow, skip or queue_one. Default: allow.
	Overlap string `json:"overlap"`
}

// SetSchedules sets the schedules of a registered template, and returns the schedules. It is idempotent: an unchanged schedule keeps its
// next tick. A schedule that the template no longer has stays until it is deleted.
func (t *Template) SetSchedules(ctx context.Context, db executor.DBTX) ([]gen.Schedule, error) {
	set := make([]gen.Schedule, 0, len(t.Schedules))
	for i, s := range t.Schedules {
		params, err := s.params(t)
		if err == nil {
			var schedule gen.Schedule
			if schedule, err = executor.New(db).SetSchedule(ctx, params); err == nil {
				set = append(set, schedule)
				continue
			}
		}
		if t.file == "" {
			return nil, fmt.Errorf("schedule %q of template %s/%s: %w", s.Name, t.Namespace, t.Name, err)
		}
		return nil, fmt.Errorf("%s:%d: %w", t.file, t.line(fmt.Sprintf("schedules[%d]", i)), err)
	}
	return set, nil
}

func (s Schedule) params(t *Template) (sqlfn.SetScheduleParams, error) {
	p := sqlfn.SetScheduleParams{
		Namespace: t.Namespace, Schedule: s.Name, TaskName: t.Name, Timezone: s.Timezone, Context: s.Context, Tags: s.Tags,
		CatchUp: s.CatchUp, CatchUpLimit: 100, Overlap: s.Overlap,
		Cron: s.Cron, TaskVersion: s.Version,
	}
	if p.Timezone == "" {
		p.Timezone = "UTC"
	}
	if p.Context == nil {
		p.Context = json.RawMessage("{}")
	}
	if p.CatchUp == "" {
		p.CatchUp = "one"
	}
	if p.Overlap == "" {
		p.Overlap = "allow"
	}
	for to, from := range map[*int32]*int64{
		&p.EverySeconds: s.EverySeconds, &p.DeadlineSeconds: s.DeadlineSeconds,
		&p.Priority: s.Priority, &p.JitterSeconds: s.JitterSeconds, &p.CatchUpLimit: s.CatchUpLimit,
	} {
		if from != nil {
			*to = narrow(*from)
		}
	}
	var err error
	if p.StartsAt, err = instant("starts_at", s.StartsAt); err != nil {
		return p, err
	}
	p.EndsAt, err = instant("ends_at", s.EndsAt)
	return p, err
}

// narrow converts a number to int32. A number outside of its range becomes the smallest or largest int32, which the database refuses.
func narrow(n int64) int32 { return int32(max(min(n, 1<<31-1), -1<<31)) }

// instant returns the time that a text holds, and the zero time for an empty text.
func instant(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %s is a time such as 2026-01-31T12:00:00Z, not %q", executor.ErrInvalid, field, text)
	}
	return at, nil
}
