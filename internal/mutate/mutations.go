package mutate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Mutation is one change of a function's file.
type Mutation struct {
	Kind string
	Line int    // of the change, from 1
	Old  string // the line before
	New  string // the line afterwards, empty if the line is dropped
	Text string // of the whole file, changed
}

func (m Mutation) String() string {
	return fmt.Sprintf("line %d, %s: %s  ->  %s", m.Line, m.Kind, strings.TrimSpace(m.Old), strings.TrimSpace(m.New))
}

// Key is the mutation of a function without the number of its line, so that it stays the same when other lines change.
func (m Mutation) Key(function string) string {
	return strings.TrimSpace(fmt.Sprintf("%s, %s: %s  ->  %s", function, m.Kind, strings.TrimSpace(m.Old), strings.TrimSpace(m.New)))
}

// rule finds one kind of change in a line of code.
type rule struct {
	kind    string
	pattern *regexp.Regexp
	replace []string // one mutation for each, and "$0" is the found text
}

// Comparisons stand between blanks in this code base: "=>" and "->>" do not match.
var rules = []rule{
	{"comparison", regexp.MustCompile(` = `), []string{" <> "}},
	{"comparison", regexp.MustCompile(` <> `), []string{" = "}},
	{"comparison", regexp.MustCompile(` < `), []string{" <= ", " > "}},
	{"comparison", regexp.MustCompile(` <= `), []string{" < ", " > "}},
	{"comparison", regexp.MustCompile(` > `), []string{" >= ", " < "}},
	{"comparison", regexp.MustCompile(` >= `), []string{" > ", " < "}},
	{"boundary", regexp.MustCompile(` \+ 1\b`), []string{""}},
	{"boundary", regexp.MustCompile(` - 1\b`), []string{""}},
	{"boundary", regexp.MustCompile(`\blimit (p_limit|v_\w+)\b`), []string{"limit $1 + 1"}},
	{"null", regexp.MustCompile(`\bis null\b`), []string{"is not null"}},
	{"null", regexp.MustCompile(`\bis not null\b`), []string{"is null"}},
	{"negation", regexp.MustCompile(`\bnot (exists|tasker\.|v_|p_|[a-z]\.)`), []string{"$1"}},
	{"negation", regexp.MustCompile(`\bif found\b`), []string{"if not found"}},
	{"negation", regexp.MustCompile(`\bif not found\b`), []string{"if found"}},
	{"connective", regexp.MustCompile(`^(\s+)and `), []string{"${1}or "}},
	{"connective", regexp.MustCompile(`^(\s+)or `), []string{"${1}and "}},
	{"lock", regexp.MustCompile(`\s*\bfor (no key )?update( of \w+)?( skip locked| nowait)?`), []string{""}},
	{"lock", regexp.MustCompile(` skip locked`), []string{""}},
	{"order", regexp.MustCompile(`\border by ([a-z]+\.[a-z_]+)`), []string{"order by $1 desc"}},
	{"order", regexp.MustCompile(` desc\b`), []string{""}},
	{"truth", regexp.MustCompile(`\btrue\b`), []string{"false"}},
	{"truth", regexp.MustCompile(`\bfalse\b`), []string{"true"}},
	{"extreme", regexp.MustCompile(`\bgreatest\(`), []string{"least("}},
	{"extreme", regexp.MustCompile(`\bleast\(`), []string{"greatest("}},
}

// states are exchanged for the next state of their kind.
var states = []string{
	"pending", "enqueued", "in_progress", "waiting_for_retry", "enqueued_for_orchestration",
	"enqueued_as_error_for_orchestration", "complete", "error", "cancelled", "resolved_manually",
}

// dropped matches a line that is one condition of several. Without the line the other conditions stay valid.
var dropped = regexp.MustCompile(`^\s+and [^()]*(\([^()]*\)[^()]*)*;?$`)

// Of returns all mutations of a function's file. Comments, and everything after the body, stay as they are.
func Of(text string) (mutations []Mutation) {
	lines := strings.Split(text, "\n")
	first, last := body(lines)
	add := func(i int, kind, line string) {
		changed := slices.Clone(lines)
		changed[i] = line
		mutations = append(mutations, Mutation{
			Kind: kind, Line: i + 1, Old: lines[i], New: line, Text: strings.Join(changed, "\n"),
		})
	}
	for i := first; i < last; i++ {
		code, comment := split(lines[i])
		if strings.Contains(code, " message ") || strings.Contains(code, " hint ") || strings.Contains(code, " detail ") {
			continue // words for people
		}
		for _, r := range rules {
			for _, at := range r.pattern.FindAllStringSubmatchIndex(code, -1) {
				if inString(code, at[0]) {
					continue
				}
				for _, replacement := range r.replace {
					expanded := r.pattern.ExpandString(nil, replacement, code, at)
					add(i, r.kind, code[:at[0]]+string(expanded)+code[at[1]:]+comment)
				}
			}
		}
		for n, state := range states {
			if quoted := "'" + state + "'"; strings.Contains(code, quoted) {
				other := "'" + states[(n+1)%len(states)] + "'"
				add(i, "state", strings.Replace(code, quoted, other, 1)+comment)
			}
		}
		if dropped.MatchString(code) {
			end := ""
			if strings.HasSuffix(code, ";") {
				end = ";"
			}
			add(i, "condition dropped", end)
		}
	}
	return mutations
}

// body returns the lines of a function's body, as a half-open range: between "as $$" or "begin atomic" and its end.
func body(lines []string) (first, last int) {
	first, last = len(lines), len(lines)
	for i, line := range lines {
		switch {
		case first == len(lines) && (strings.HasPrefix(line, "as $") || line == "begin atomic"):
			first = i + 1
		case first < len(lines) && (strings.HasPrefix(line, "$$;") || strings.HasPrefix(line, "$function$;") || line == "end;"):
			return first, i
		}
	}
	return first, last
}

// split returns a line's code and its comment.
func split(line string) (code, comment string) {
	for i := 0; ; {
		at := strings.Index(line[i:], "--")
		if at < 0 {
			return line, ""
		}
		if !inString(line, i+at) {
			return line[:i+at], line[i+at:]
		}
		i += at + 2
	}
}

// inString tells whether a place of a line is within quotes. No string of this code base spans lines.
func inString(line string, at int) bool {
	return strings.Count(line[:at], "'")%2 == 1
}
