package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is a problem that must be corrected.
type Finding struct {
	Path    string
	Line    int // 0 for the whole file
	Message string
}

// String returns the finding in the form of a compiler's message.
func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message)
}

// Findings is an error that lists findings.
type Findings []Finding

// Error returns one line per finding.
func (f Findings) Error() string {
	text := make([]string, len(f))
	for i, finding := range f {
		text[i] = finding.String()
	}
	return strings.Join(text, "\n")
}

// sorted orders findings by place.
func sorted(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return findings
}
