package schema

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/internal/made"
)

const (
	handUpHint   = "-- Table changes: alter table …\n"
	handDownHint = "-- What undoes the table changes of the up part.\n"
)

var migrationName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ComposeNext returns the change that makes or renews the migration of that name. The migration has the changes in
// db/schema since the migrations before it. ComposeNext is for the time after the first release. An existing
// migration that is not in a release keeps its version, its header and its hand-written parts.
func ComposeNext(t *Tree, releases []Release, name string, now time.Time) ([]Change, error) {
	switch {
	case len(releases) == 0:
		return nil, fmt.Errorf("nothing is released yet: compose without a name renews the initial migrations")
	case !migrationName.MatchString(name):
		return nil, fmt.Errorf("%q is no name for a migration: small letters, digits and underscores", name)
	}
	if findings := slices.Concat(t.sourceFindings, t.migrationFindings); len(findings) > 0 {
		return nil, Findings(sorted(findings))
	}
	target, earlier, err := t.target(releases, name, now)
	if err != nil {
		return nil, err
	}
	p := newPlan(t, newHistory(earlier), target)
	if len(p.findings) > 0 {
		return nil, Findings(p.findings)
	}
	noted, unnoted := "", ""
	if t.notesBuilds() {
		noted, unnoted = "\n"+made.Note(t.buildSince(earlier, target.Version)), unnote(target.Version)+"\n"
	}
	objects := ""
	if t.notesState() {
		objects = "\n" + noteObjects
	}
	text := target.Header +
		upLine + "\n" + briefly + "\n" + framed(true, p.up(target.Up.Hand)+noted+objects) + "\n" +
		downLine + "\n" + briefly + "\n" + framed(true, unnoted+p.down(target.Down.Hand)+objects)
	var changes []Change
	if text != target.Text {
		changes = []Change{{target.Path, text}}
	}
	return t.withBuildGo(changes), nil
}

// target returns the migration to be written, with its present text or empty, and the migrations before it.
func (t *Tree) target(releases []Release, name string, now time.Time) (*Migration, []*Migration, error) {
	at := slices.IndexFunc(t.Migrations, func(m *Migration) bool { return m.Name == name })
	if at < 0 {
		version := now.UTC().Format("20060102150405")
		if n := len(t.Migrations); n > 0 && t.Migrations[n-1].Version >= version {
			return nil, nil, fmt.Errorf("%s is of the future: its version must be below %s", t.Migrations[n-1].Path, version)
		}
		return &Migration{
			Path:    fmt.Sprintf("%s/%s_%s.sql", migrationsDir, version, name),
			Version: version,
			Name:    name,
			Header:  "-- " + name + "\n\n",
			Up:      Part{Hand: handUpHint},
			Down:    Part{Hand: handDownHint},
		}, t.Migrations, nil
	}
	target := t.Migrations[at]
	if tag := releasedBy(releases, target.Path); tag != "" {
		return nil, nil, fmt.Errorf("%s is in release %s: take another name", target.Path, tag)
	}
	if at != len(t.Migrations)-1 {
		return nil, nil, fmt.Errorf("%s is newer than %s: only the newest migration can be composed again",
			t.Migrations[len(t.Migrations)-1].Path, target.Path)
	}
	return target, t.Migrations[:at], nil
}
