package template

import (
	"fmt"
	"strings"
)

// Error is something wrong at one place of a file.
type Error struct {
	// File is empty for a template that came from a reader.
	File string
	// Line counts from 1. 0 is unknown.
	Line int
	// Path is the place in the template, such as "steps[2].join", counted from 0. Empty for the whole.
	Path    string
	Problem string
	// Hint is the remedy. It may be empty.
	Hint string
}

// Error returns it as compilers do: "order.yaml:12: steps[2].join: …".
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.File != "" && e.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	case e.File != "":
		fmt.Fprintf(&b, "%s: ", e.File)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Problem)
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}
