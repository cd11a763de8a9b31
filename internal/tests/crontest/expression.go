package crontest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// written is an expression with its text.
type written struct {
	text string
	expression
}

// write returns an expression of five fields, each in one of the forms that tests need: *, */n, and lists.
func write(text string) written {
	fields := strings.Fields(text)
	return written{text, expression{
		minutes: values(fields[0], 0, 59), hours: values(fields[1], 0, 23), days: values(fields[2], 1, 31),
		months: values(fields[3], 1, 12), weekdays: values(fields[4], 0, 6),
		anyDay: strings.HasPrefix(fields[2], "*"), anyWeekday: strings.HasPrefix(fields[4], "*"),
	}}
}

func values(field string, from, to int) []int {
	var found []int
	for part := range strings.SplitSeq(field, ",") {
		step, n := 1, 0
		switch {
		case part == "*":
		case strings.HasPrefix(part, "*/"):
			step, _ = strconv.Atoi(part[2:])
		default:
			n, _ = strconv.Atoi(part)
			found = append(found, n)
			continue
		}
		for v := from; v <= to; v += step {
			found = append(found, v)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// random returns an expression that ticks at least once a year.
func random(r *rand.Rand) written {
	field := func(from, to, anyOf10 int) string {
		switch n := r.IntN(10); {
		case n < anyOf10:
			return "*"
		case n == 9 && to > 12:
			return fmt.Sprintf("*/%d", 2+r.IntN(20))
		}
		list := make([]string, 1+r.IntN(3))
		for i := range list {
			list[i] = strconv.Itoa(from + r.IntN(to-from+1))
		}
		return strings.Join(list, ",")
	}
	return write(strings.Join([]string{field(0, 59, 1), field(0, 4, 4), field(1, 28, 7), field(1, 12, 8), field(0, 6, 7)}, " "))
}

// changes returns the hours in which the clocks of a zone are put forward or back.
func changes(zone *time.Location, from, until time.Time) []time.Time {
	var found []time.Time
	_, before := from.In(zone).Zone()
	for at := from; at.Before(until); at = at.Add(time.Hour) {
		if _, offset := at.In(zone).Zone(); offset != before {
			found = append(found, at)
			before = offset
		}
	}
	return found
}
