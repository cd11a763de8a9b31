package schema

import (
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/internal/schema/sqltext"
)

// File is one file of db/schema, or a copy of one in a migration.
type File struct {
	Path    string
	Text    string
	Objects []sqltext.Object // the objects that its statements create

	statements []sqltext.Statement
	down       []string // the explicit down part
	hasDown    bool
}

// parseFile reads a schema file and returns its problems.
func parseFile(path, text string) (*File, []Finding) {
	f := &File{Path: path, Text: text}
	findings := longLines(path, text)
	report := func(message string) {
		findings = append(findings, Finding{Path: path, Message: message})
	}

	if !strings.HasSuffix(text, "\n") {
		report("the last line has no end")
	}
	down, given, mistakes := downDirective(path, text)
	f.down, f.hasDown = down, given
	findings = append(findings, mistakes...)

	statements, err := sqltext.Split(text)
	if err != nil {
		report(err.Error())
		return f, findings
	}
	f.statements = statements
	for _, statement := range statements {
		if object, ok := statement.Created(); ok {
			f.Objects = append(f.Objects, object)
		}
	}
	return f, append(findings, f.review()...)
}

// review finds statements that make a file impossible to undo or to replace.
func (f *File) review() (findings []Finding) {
	report := func(message string) {
		findings = append(findings, Finding{Path: f.Path, Message: message})
	}
	for _, object := range f.Objects {
		switch object.Kind {
		case "function", "procedure", "view":
			if !object.Replaces {
				report("write create or replace " + object.Kind)
			}
		}
		if !f.hasDown && !object.Droppable() && !f.owns(object) {
			report("what undoes create " + object.Kind + " is not known: write a line " + downPrefix + "<statement>;")
		}
	}
	if f.hasDown {
		return findings
	}
	if len(f.Objects) == 0 {
		report("creates nothing: write a line " + downPrefix + "<statement>; or " + downPrefix + downNothing)
	}
	main := f.mainObjects()
	replaceable := func(o sqltext.Object) bool { return o.Replaceable() }
	if slices.ContainsFunc(main, replaceable) && !f.Replaceable() {
		report("mixes what can be replaced with what cannot: one object per file")
	}
	return findings
}

// owns reports whether the object is dropped with a relation that the file also creates, as an index is.
func (f *File) owns(object sqltext.Object) bool {
	return object.On != "" && slices.ContainsFunc(f.Objects, func(o sqltext.Object) bool {
		return o.On == "" && o.Name == object.On
	})
}

// mainObjects returns the objects that the file creates, without their parts.
func (f *File) mainObjects() []sqltext.Object {
	return slices.DeleteFunc(slices.Clone(f.Objects), f.owns)
}

// Replaceable reports whether the file only creates objects that a newer copy can replace (functions, views,
// triggers). Such a file is copied into a migration whenever it changes.
func (f *File) Replaceable() bool {
	for _, statement := range f.statements {
		object, created := statement.Created()
		if created && !object.Replaceable() || !created && !repeatable(statement) {
			return false
		}
	}
	return len(f.Objects) > 0
}

// repeatable reports whether the statement may follow a replaceable object, because running it again does no harm.
func repeatable(s sqltext.Statement) bool {
	return s.Begins("comment") || s.Begins("grant") || s.Begins("revoke") ||
		s.Begins("alter", "function") || s.Begins("alter", "procedure") || s.Begins("alter", "view")
}

// Undo returns the statements that undo the file. They are its down directive, or else drops of the objects that it
// creates, the last object first.
func (f *File) Undo() []string {
	if f.hasDown {
		return f.down
	}
	var drops []string
	for _, object := range slices.Backward(f.mainObjects()) {
		drops = append(drops, object.Drop())
	}
	return drops
}

// canReplace reports whether the file's statements, run over an earlier copy of the file, have the same result as in an empty
// database. The result may differ, because create or replace keeps signatures and the columns of a row type, and because the
// statements do not revoke earlier privileges and settings.
func (f *File) canReplace(old *File) bool {
	before, after := old.shape(), f.shape()
	return slices.Equal(before.fixed, after.fixed) &&
		len(before.columns) <= len(after.columns) && slices.Equal(before.columns, after.columns[:len(before.columns)]) &&
		!slices.ContainsFunc(before.comments, func(target string) bool { return !slices.Contains(after.comments, target) })
}

// shape is the part of an object that create or replace keeps.
type shape struct {
	fixed    []string // signatures of the created objects, privileges and other settings
	columns  []string // of a row type
	comments []string // objects with a comment
}

func (f *File) shape() (s shape) {
	for _, statement := range f.statements {
		switch object, created := statement.Created(); {
		case created && object.Kind == "trigger" && !object.Replaces:
			s.fixed = append(s.fixed, statement.String())
		case created:
			s.fixed = append(s.fixed, object.Signature)
			s.columns = append(s.columns, object.Columns...)
		case statement.Begins("comment"):
			s.comments = append(s.comments, commentTarget(statement))
		default:
			s.fixed = append(s.fixed, statement.String())
		}
	}
	return s
}

func commentTarget(statement sqltext.Statement) string {
	return sqltext.Statement(statement[:len(statement)-1]).String()
}

// needs reports whether an object of the file cannot exist without the named object. A view or trigger needs the
// objects that it uses. A function needs the objects in its signature and in a "begin atomic" body. Names in a
// string, such as most function bodies, are looked up only when the function runs.
func (f *File) needs(name string) bool {
	return slices.ContainsFunc(f.statements, func(s sqltext.Statement) bool {
		_, created := s.Created()
		return created && s.Mentions(name) && !slices.ContainsFunc(f.Objects, func(o sqltext.Object) bool {
			return o.Name == name
		})
	})
}

// creates reports whether the file creates one of the objects of the other file.
func (f *File) creates(other *File) bool {
	return slices.ContainsFunc(other.mainObjects(), func(theirs sqltext.Object) bool {
		return slices.ContainsFunc(f.mainObjects(), func(ours sqltext.Object) bool {
			return ours.Name == theirs.Name && ours.On == theirs.On && ours.Kind == theirs.Kind
		})
	})
}
