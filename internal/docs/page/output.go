package page

import (
	"regexp"
	"strings"
)

// masks are the texts that differ from run to run, and their replacements.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`^psql:\S+:\d+: `), ""},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<uuid>"},
	{regexp.MustCompile(`\b[0-9a-f]{8}\b`), "<id>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?`), "<time>"},
	{regexp.MustCompile(`\b\d\d:\d\d(:\d\d(\.\d+)?)?\b`), "<time>"},
	{regexp.MustCompile(`\b(\d+(\.\d+)? ?(d|h|ms|µs|m|s))+\b`), "<span>"},
	{regexp.MustCompile(`[ \t]+`), " "},
	{regexp.MustCompile(`-{2,}`), "--"},
	{regexp.MustCompile(`\.{3,}`), "..."},
}

// normal returns the lines of a text, without empty lines and without the parts that differ from run to run.
func normal(text string) (lines []string) {
	for line := range strings.Lines(text) {
		for _, m := range masks {
			line = m.pattern.ReplaceAllString(line, m.with)
		}
		// A log prints the time on a line only if it differs from the time of the line above.
		if line = strings.TrimPrefix(strings.TrimSpace(line), "<time> "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Same says whether an output agrees with the page's text. In the page's text, a line "…" matches any lines, and "…" within a
// line matches any text.
func Same(want, have string) bool { return match(normal(want), normal(have)) }

func match(want, have []string) bool {
	if len(want) == 0 {
		return len(have) == 0
	}
	if want[0] == "…" {
		for skip := range len(have) + 1 {
			if match(want[1:], have[skip:]) {
				return true
			}
		}
		return false
	}
	return len(have) > 0 && matchLine(want[0], have[0]) && match(want[1:], have[1:])
}

func matchLine(want, have string) bool {
	head, rest, open := strings.Cut(want, "…")
	have, found := strings.CutPrefix(have, head)
	if !open || !found {
		return found && have == ""
	}
	for skip := range len(have) + 1 {
		if matchLine(rest, have[skip:]) {
			return true
		}
	}
	return false
}
