package template

import (
	"fmt"
	"strings"
)

// Error is a mistake at one place of a file.
type Error struct {
	// File is the name of the file, empty for a template from a reader.
	File string
	// Line is the number of the line, starting at 1. It is 0 if the line is unknown.
	Line int
	// Path is the place in the template, such as "steps[2].join". Indexes start at 0. The path is empty for a mistake of the whole
	// template.
	Path    string
	Problem string
	// Hint says how to correct the mistake. It may be empty.
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
