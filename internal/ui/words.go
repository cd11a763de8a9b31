package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/seal"
)

// capital begins a text of this package with a capital letter.
func capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// span writes how long something lasts, in its two largest units.
func span(d time.Duration) string {
	if d < 0 {
		d = -d
	}
	type unit struct {
		size time.Duration
		name string
	}
	switch {
	case d < time.Millisecond:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	}
	units := []unit{{day, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	for i, u := range units {
		if d < u.size {
			continue
		}
		said := fmt.Sprintf("%d %s", d/u.size, u.name)
		if i+1 < len(units) && d/u.size < 10 {
			if rest := d % u.size / units[i+1].size; rest > 0 {
				said += fmt.Sprintf(" %d %s", rest, units[i+1].name)
			}
		}
		return said
	}
	return "0 s"
}

// took is span for seconds.
func took(seconds float64) string {
	if math.IsNaN(seconds) || math.Abs(seconds) > 1e9 {
		return "very long"
	}
	return span(time.Duration(seconds * float64(time.Second)))
}

// ago writes a time as its distance from now.
func ago(now, t time.Time) string {
	switch d := now.Sub(t); {
	case d > -time.Second && d < time.Second:
		return "now"
	case d < 0:
		return "in " + span(-d.Truncate(time.Second))
	default:
		return span(max(d.Truncate(time.Second), time.Second)) + " ago"
	}
}

// number writes a number with separated thousands.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// count writes a number of things: "1 task", "3 tasks".
func count[N int | int32 | int64](n N, what string) string {
	if n != 1 && what != "more" {
		what += "s"
	}
	return number(int64(n)) + " " + what
}

// bytesOf writes a size.
func bytesOf(n int64) string {
	const k = 1024
	size, unit := float64(n), 0
	for size >= k && unit < 4 {
		size /= k
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", size, []string{"", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// short is the short id of a UUID, as on the command line: the first eight digits of the last group.
func short(id uuid.UUID) string { return id.String()[24:32] }

// stepNo is the number of a step, which is in the last two bytes of its UUID.
func stepNo(id uuid.UUID) int { return int(id[14])<<8 | int(id[15]) }

// taskOf is the UUID of a step's task.
func taskOf(step uuid.UUID) uuid.UUID {
	step[14], step[15] = 0, 0
	return step
}

// cut shortens a text.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:most-1]) + "…"
}

// text is the text behind a pointer, or nothing.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// readable is JSON for people without a key.
func readable(raw json.RawMessage) json.RawMessage {
	if shown := seal.Shown(raw, ""); shown != "" {
		return json.RawMessage(shown)
	}
	return raw
}

// pretty indents JSON, and shortens values that would fill the page. An encrypted payload says which key encrypted it.
func pretty(raw json.RawMessage) string {
	const most = 64 << 10
	var out bytes.Buffer
	raw = readable(raw)
	if json.Indent(&out, raw, "", "  ") != nil {
		out.Reset()
		out.Write(raw)
	}
	if out.Len() > most {
		return strings.ToValidUTF8(out.String()[:most], "") + fmt.Sprintf("\n… %s more: GET /v1 has it whole", bytesOf(int64(out.Len()-most)))
	}
	return out.String()
}

// empty says whether JSON holds nothing to show.
func empty(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "{}", "[]":
		return true
	}
	return false
}

// These calls stand in sentences of the database, for people who have no buttons.
var (
	toAnswer = regexp.MustCompile(`: (?:select \* from tasker\.(?:send_signal|emit_event)\([^)]*\)(?:, or )?)+`)
	toGoOn   = regexp.MustCompile(` select tasker\.(?:reset_task|retry_step)\([^)]*\)\.`)
	toSettle = strings.NewReplacer(
		"until retry_step, resolve_step_manually or complete_step_manually settles it; give_up_task ends the task,", "until it is retried, resolved or completed by hand; “Give up” ends the task,",
		", or let the new code in with worker.Changed", "",
	)
)

// forPeople writes a sentence of the database without the calls that buttons make.
func forPeople(sentence string) string {
	return toSettle.Replace(toGoOn.ReplaceAllString(toAnswer.ReplaceAllString(sentence, ""), ""))
}

// request is a call of the API in a hint.
var request = regexp.MustCompile(`\b(?:GET|POST|PUT|PATCH|DELETE) /v1/([a-z-]+)[^\s.;,]*`)

// Hint writes a hint of the API for users of the page, with the entry of the menu instead of a request.
func Hint(hint string) string {
	hint = strings.ReplaceAll(hint, "Repeat the request after the seconds of Retry-After.", "The page tries again by itself.")
	return request.ReplaceAllStringFunc(hint, func(call string) string {
		resource := request.FindStringSubmatch(call)[1]
		for _, e := range menu {
			if strings.TrimPrefix(e.Path, Root+"/") == resource || e.Section+"-actions" == resource {
				return "“" + e.Name + "”"
			}
		}
		return "the page"
	})
}

// spaced writes a name of a state or an event as words.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }
