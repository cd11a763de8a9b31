package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// show prints a value as JSON, or lets table print it for people.
func (a *app) show(value any, table func() error) error {
	if !a.json {
		return table()
	}
	return writeJSON(a.Out, value, "  ")
}

// writeJSON writes a value as JSON. It escapes control characters that encoding/json does not escape (U+0080 to U+009F, and
// characters that change the direction of writing), because they could steer the terminal.
func writeJSON(w io.Writer, value any, indent string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	var out strings.Builder
	for _, r := range text.String() {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// list is show for rows, of which there may be none.
func list[T any](a *app, rows []T, none string, table *term.Table, row func(T) []term.Cell) error {
	if rows == nil {
		rows = []T{}
	}
	return a.show(rows, func() error {
		if len(rows) == 0 {
			return a.errs.Say("%s\n", none)
		}
		for _, r := range rows {
			table.Row(row(r)...)
		}
		return table.Write(a.out)
	})
}

// at formats a time in the local zone, or in the zone of TZ, with its offset.
func (a *app) at(t time.Time) string {
	return a.local(t).Format("2006-01-02 15:04:05Z07:00")
}

// local returns a time in the zone in which times are shown.
func (a *app) local(t time.Time) time.Time {
	zone := time.Local
	if name := a.Getenv("TZ"); name != "" {
		if named, err := time.LoadLocation(name); err == nil {
			zone = named
		}
	}
	return t.In(zone)
}

// timeColumn returns a column's heading and a function that formats its times. On a terminal the heading has the common part of
// the times: the day, or that all times are midnight.
func (a *app) timeColumn(name string, times []time.Time) (heading string, cell func(time.Time) term.Cell) {
	whole := func(t time.Time) term.Cell { return term.Text(a.at(t)).Uncut() }
	if a.out.Width == 0 || len(times) == 0 {
		return name, whole
	}
	const day, clock = "2006-01-02", "15:04:05"
	days, midnight := map[string]bool{}, true
	for _, t := range times {
		local := a.local(t)
		days[local.Format(day)] = true
		midnight = midnight && local.Format(clock) == "00:00:00"
	}
	first := a.local(times[0])
	switch {
	case midnight:
		return name + " (" + first.Format("MST") + ")", func(t time.Time) term.Cell { return term.Text(a.local(t).Format(day)).Uncut() }
	case len(days) == 1:
		return first.Format(day), func(t time.Time) term.Cell { return term.Text(a.local(t).Format(clock + "Z07:00")).Uncut() }
	}
	return name, whole
}

// each returns one value of each row.
func each[T, V any](rows []T, value func(T) V) []V {
	values := make([]V, len(rows))
	for i, row := range rows {
		values[i] = value(row)
	}
	return values
}

// when formats a time that may be missing, with its distance from now.
func (a *app) when(t *time.Time, now time.Time) string {
	switch {
	case t == nil:
		return ""
	case t.After(now):
		return fmt.Sprintf("%s (in %s)", a.at(*t), span(t.Sub(now)))
	}
	return fmt.Sprintf("%s (%s ago)", a.at(*t), span(now.Sub(*t)))
}

// distance formats the distance between now and a time that may be missing.
func distance(t *time.Time, now time.Time) string {
	switch {
	case t == nil:
		return ""
	case t.After(now):
		return "in " + span(t.Sub(now))
	}
	return span(now.Sub(*t)) + " ago"
}

// span formats a duration with its largest two units.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 0:
		return "-" + span(-d)
	case d < time.Millisecond:
		return "0s"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return units(d, time.Minute, "m", time.Second, "s")
	case d < day:
		return units(d, time.Hour, "h", time.Minute, "m")
	}
	return units(d, day, "d", time.Hour, "h")
}

func units(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d%s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf("%d%s", rest, smallName)
	}
	return text
}

// took formats a duration in seconds, with a fraction if it is shorter than a minute.
func took(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d <= 0:
		return "0s"
	case d < time.Second:
		return fmt.Sprintf("%.0fms", seconds*1000)
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", seconds)
	}
	return span(d)
}

// percent formats a share from 0 to 1.
func percent(share float64) string {
	if share == 0 {
		return "0%"
	}
	return fmt.Sprintf("%.1f%%", 100*share)
}

// keyShows tells how to decrypt an encrypted payload.
const keyShows = "; --key FILE shows it"

// text returns the text behind a pointer, or "" for nil.
func text[T ~string](p *T) string {
	if p == nil {
		return ""
	}
	return seal.ShownErrors(string(*p), keyShows)
}

// compact returns JSON in one line, or "" for an empty object.
func compact(raw json.RawMessage) string {
	if s := string(raw); s == "{}" || s == "null" {
		return ""
	}
	if sealed := seal.Shown(raw, keyShows); sealed != "" {
		return sealed
	}
	return string(raw)
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
