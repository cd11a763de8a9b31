package crontest

import (
	"slices"
	"time"
)

// expression is a cron expression, field by field.
type expression struct {
	minutes, hours, days, months, weekdays []int
	// anyDay and anyWeekday say that the field begins with an asterisk. If neither field does, a day matches if it matches one of
	// the two fields.
	anyDay, anyWeekday bool
}

// matches reports whether the expression matches a time on the wall clock.
func (e expression) matches(wall time.Time) bool {
	if !slices.Contains(e.minutes, wall.Minute()) || !slices.Contains(e.hours, wall.Hour()) ||
		!slices.Contains(e.months, int(wall.Month())) {
		return false
	}
	day := slices.Contains(e.days, wall.Day())
	weekday := slices.Contains(e.weekdays, int(wall.Weekday()))
	if !e.anyDay && !e.anyWeekday {
		return day || weekday
	}
	return day && weekday
}

// ticks returns the ticks after from and until the end, in order.
func (e expression) ticks(zone *time.Location, from, until time.Time) []time.Time {
	var found []time.Time
	add := func(tick time.Time) {
		if tick.After(from) && !tick.After(until) {
			found = append(found, tick.UTC())
		}
	}
	// Begin two days before, to know which times on the wall clock occur twice.
	now := from.Add(-48 * time.Hour).UTC().Truncate(time.Minute)
	before := wallTime(now.Add(-time.Minute), zone)
	newest := before
	for ; !now.After(until); now = now.Add(time.Minute) {
		wall := wallTime(now, zone)
		// A time that the wall clock skips ticks later, by as much as the clock was put forward.
		for skipped, later := before.Add(time.Minute), now; skipped.Before(wall); skipped, later = skipped.Add(time.Minute), later.Add(time.Minute) {
			if e.matches(skipped) {
				add(later)
			}
		}
		again := !wall.After(newest)
		if e.matches(wall) && (!again || len(e.hours) == 24) {
			add(now)
		}
		if !again {
			newest = wall
		}
		before = wall
	}
	slices.SortFunc(found, time.Time.Compare)
	return slices.CompactFunc(found, time.Time.Equal)
}

// wallTime is the time that a wall clock shows, as if it were UTC.
func wallTime(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), 0, 0, time.UTC)
}
