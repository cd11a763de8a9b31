package template

import (
	"fmt"
	"strings"
)

// Error is a mistake at one place of a file.
type Error struct {
	// File is the name of the file, empty for a template from a reader.
	File string
	// Line counts from 1. With 0 the line is unknown.
	Line int
	// Path is the place in the template, such as "steps[2].join", counted from 0. It is empty for a mistake of the whole template.
	Path    string
	Problem string
	// Hint is the remedy. It may be empty.
	Hint string
}

// Error returns the mistake in the form of a compiler: "order.yaml:12: steps[2].join: …".
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
