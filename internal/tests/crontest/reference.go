package crontest

import (
	"slices"
	"time"
)

// expression is a cron expression, field by field.
type expression struct {
	minutes, hours, days, months, weekdays []int
	// anyDay and anyWeekday say that the field begins with an asterisk: if neither does, either of them will do.
	anyDay, anyWeekday bool
}

// matches reports whether the expression names a time on the wall.
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
	// Two days before, so that it is known which times on the wall come again.
	now := from.Add(-48 * time.Hour).UTC().Truncate(time.Minute)
	before := wallTime(now.Add(-time.Minute), zone)
	newest := before
	for ; !now.After(until); now = now.Add(time.Minute) {
		wall := wallTime(now, zone)
		// What the clock on the wall leaves out is as much later as it was put forward.
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

// wallTime is what a clock on the wall shows, as if it were UTC.
func wallTime(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), 0, 0, time.UTC)
}
