package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Change is a file to be written, or to be removed if its text is empty.
type Change struct {
	Path string
	Text string
}

// ErrReleased says that the initial migrations are in a release and so may not change.
var ErrReleased = errors.New("the initial migrations are released: give the new migration a name")

const composedLine = "-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag."

// ComposeInitial returns the changes that make the migrations match the contents page, with one migration per
// section. It removes migrations of sections that are gone. It is for the time before the first release.
func ComposeInitial(t *Tree, releases []Release) ([]Change, error) {
	if len(releases) > 0 {
		return nil, ErrReleased
	}
	if len(t.sourceFindings) > 0 {
		return nil, Findings(sorted(t.sourceFindings))
	}
	var changes []Change
	paths := map[string]bool{}
	for _, section := range t.Sections {
		path, text := section.MigrationPath(), t.initial(section)
		paths[path] = true
		if old := t.migration(path); old == nil || old.Text != text {
			changes = append(changes, Change{path, text})
		}
	}
	for _, migration := range t.Migrations {
		if !paths[migration.Path] && strings.Contains(migration.Header, composedLine) {
			changes = append(changes, Change{Path: migration.Path})
		}
	}
	return t.withBuildGo(changes), nil
}

// initial returns the text of a section's migration.
func (t *Tree) initial(section *Section) string {
	var up, down writer
	for _, path := range section.Paths {
		if file := t.file(path); file != nil {
			up.copy(file)
		}
	}
	for _, path := range slices.Backward(section.Paths) {
		if file := t.file(path); file != nil {
			down.statements(file.Undo())
		}
	}
	noted, unnoted := t.notes(section)
	before, after := t.notesObjects(section)
	noted += before
	header := fmt.Sprintf("-- %s: %s\n%s\n\n", section.Name, section.About, composedLine)
	return header +
		upLine + "\n" + framed(section.AsOwner, up.String()+noted) + "\n" +
		downLine + "\n" + framed(section.AsOwner, unnoted+down.String()+after)
}

// framed puts a part between the lines that switch to tasker_owner and back, since dbmate notes the migration as the user who
// migrates. The setting for Citus precedes these lines. It has no effect on other servers.
func framed(asOwner bool, part string) string {
	if !asOwner {
		return stayLocal + "\n\n" + part
	}
	return stayLocal + "\n" + becomeOwner + "\n\n" + part + "\n" + becomeSelf + "\n"
}

// migration returns the migration of that path, or nil.
func (t *Tree) migration(path string) *Migration {
	for _, migration := range t.Migrations {
		if migration.Path == path {
			return migration
		}
	}
	return nil
}

// writer collects the stretches of a part, with an empty line between them.
type writer struct {
	text strings.Builder
}

func (w *writer) String() string { return w.text.String() }

// stretch writes a stretch between its opening line and its closing line.
func (w *writer) stretch(open, text, end string) {
	if w.text.Len() > 0 {
		w.text.WriteString("\n")
	}
	w.text.WriteString(open + "\n" + text + end + "\n")
}

// copy writes a verbatim copy of a schema file.
func (w *writer) copy(file *File) {
	w.stretch(copyPrefix+file.Path, file.Text, copyEnd)
}

// drop writes the undo of a schema file, marked as such.
func (w *writer) drop(file *File) {
	w.stretch(copyPrefix+file.Path+droppedSuffix, joinLines(file.Undo()), copyEnd)
}

// hand writes the place for hand-written statements.
func (w *writer) hand(text string) {
	w.stretch(handLine, text, handEnd)
}

// statements writes one statement per line, without markers.
func (w *writer) statements(statements []string) {
	w.text.WriteString(joinLines(statements))
}

func joinLines(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(line + "\n")
	}
	return text.String()
}
