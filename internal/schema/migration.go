package schema

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Migration is one file of db/migrations.
type Migration struct {
	Path    string
	Version string
	Name    string
	Text    string
	Header  string // the comments above the up part
	Up      Part
	Down    Part
}

// Part is the up or the down part of a migration.
type Part struct {
	Text   string
	Chunks []Chunk // in order, including lines in the hand-written place
	Hand   string  // the text in the hand-written place
}

// Chunk is a stretch of a part that belongs to one schema file.
type Chunk struct {
	Path    string
	Text    string
	Dropped bool // the stretch drops the objects of the file
	ByHand  bool // the stretch is in the hand-written place
}

var migrationFile = regexp.MustCompile(`^(\d{14})_([a-z][a-z0-9_]*)\.sql$`)

// parseMigration reads a migration and returns its problems.
func parseMigration(file, text string) (*Migration, []Finding) {
	m := &Migration{Path: file, Text: text}
	findings := longLines(file, text)
	if match := migrationFile.FindStringSubmatch(path.Base(file)); match != nil && path.Dir(file) == migrationsDir {
		m.Version, m.Name = match[1], match[2]
	} else {
		findings = append(findings, Finding{Path: file, Message: "is not named " + migrationsDir + "/<14 digits>_<name>.sql"})
	}

	var header, up, down strings.Builder
	seen, part := "", &header
	for i, line := range lines(text) {
		switch {
		case line == upLine && seen == "":
			seen, part = upLine, &up
			continue
		case line == downLine && seen == upLine:
			seen, part = downLine, &down
			continue
		case migrateLike.MatchString(line):
			findings = append(findings, Finding{file, i + 1, fmt.Sprintf(
				"%q: each migration has one line %q and then one line %q", line, upLine, downLine)})
		}
		part.WriteString(line + "\n")
	}
	if seen != downLine {
		findings = append(findings, Finding{Path: file, Message: fmt.Sprintf(
			"lacks a line %q or, after it, a line %q", upLine, downLine)})
	}

	m.Header, m.Up.Text, m.Down.Text = header.String(), up.String(), down.String()
	offset := len(lines(m.Header)) + 1
	findings = append(findings, m.Up.parse(file, offset)...)
	findings = append(findings, m.Down.parse(file, offset+len(lines(m.Up.Text))+1)...)
	return m, findings
}

// parse finds the chunks and the hand-written place of a part that begins below line offset of the file.
func (p *Part) parse(file string, offset int) (findings []Finding) {
	var (
		hand   strings.Builder
		text   strings.Builder
		chunk  *Chunk
		inHand bool
		placed bool // there has been a hand-written place
	)
	for i, line := range lines(p.Text) {
		report := func(message string) {
			findings = append(findings, Finding{file, offset + i + 1, fmt.Sprintf("%q %s", line, message)})
		}
		if inHand && line != handEnd {
			hand.WriteString(line + "\n")
		}
		switch name, opens := strings.CutPrefix(line, copyPrefix); {
		case chunk != nil && line == copyEnd:
			chunk.Text = text.String()
			p.Chunks = append(p.Chunks, *chunk)
			chunk = nil
		case chunk != nil && !markerLike.MatchString(line):
			text.WriteString(line + "\n")
		case chunk == nil && line == handLine && !placed:
			inHand, placed = true, true
		case chunk == nil && line == handEnd && inHand:
			inHand = false
		case chunk == nil && opens && strings.HasPrefix(name, schemaDir+"/"):
			name, dropped := strings.CutSuffix(name, droppedSuffix)
			chunk = &Chunk{Path: name, Dropped: dropped, ByHand: inHand}
			text.Reset()
		case markerLike.MatchString(line):
			report("does not belong here")
		}
	}
	if chunk != nil || inHand {
		findings = append(findings, Finding{Path: file, Message: "a stretch that begins with >>> does not end"})
	}
	p.Hand = hand.String()
	return findings
}
