package schema

import "slices"

// Check returns the disagreements of db/schema, db/migrations and the releases, in the order of the files. Without
// findings, each schema file is listed once and equals its newest copy in the migrations, and no migration of a
// release has changed. The files are compared with the migrations only when both are valid by themselves.
func Check(t *Tree, releases []Release) []Finding {
	findings := slices.Concat(t.sourceFindings, t.migrationFindings)
	if len(findings) == 0 {
		findings = t.checkCopies(len(releases) > 0)
	}
	if len(releases) == 0 && len(findings) == 0 {
		findings = append(findings, t.checkInitial()...)
	}
	if len(findings) == 0 && len(t.withBuildGo(nil)) > 0 {
		findings = append(findings, Finding{Path: buildGoPath, Message: "does not say what the migrations were composed of: compose it"})
	}
	findings = append(findings, t.checkReleases(releases)...)
	return sorted(findings)
}

// checkCopies compares each schema file with its newest copy, and finds copies of files that are gone. After the
// first release, it leaves out files that cannot be replaced, since they are changed by hand.
func (t *Tree) checkCopies(released bool) (findings []Finding) {
	report := func(path, message string) {
		findings = append(findings, Finding{Path: path, Message: message})
	}
	migrated := newHistory(t.Migrations)
	for _, file := range t.Files {
		if released && !file.Replaceable() {
			continue
		}
		switch newest := migrated.previous(t, file); {
		case newest == nil:
			report(file.Path, "is in no migration")
		case newest.Text != file.Text:
			report(file.Path, "differs from its newest copy in the migrations")
		}
	}
	for _, gone := range migrated.gone(t) {
		report(gone.Path, "is gone, but the migrations still create it")
	}
	return findings
}

// checkInitial compares the migrations with the composition of the contents page.
func (t *Tree) checkInitial() (findings []Finding) {
	paths := map[string]bool{}
	for _, section := range t.Sections {
		path := section.MigrationPath()
		paths[path] = true
		if old := t.migration(path); old == nil {
			findings = append(findings, Finding{Path: path, Message: "is missing: compose it"})
		} else if old.Text != t.initial(section) {
			findings = append(findings, Finding{Path: path, Message: "differs from what its section gives: compose it"})
		}
	}
	for _, migration := range t.Migrations {
		if !paths[migration.Path] {
			findings = append(findings, Finding{Path: migration.Path, Message: "has no section in " + contentsPath})
		}
	}
	return findings
}

// checkReleases compares the migrations with the migrations of each release.
func (t *Tree) checkReleases(releases []Release) (findings []Finding) {
	reported := map[string]bool{}
	for _, release := range releases {
		for path, text := range release.Migrations {
			migration := t.migration(path)
			if reported[path] || migration != nil && migration.Text == text {
				continue
			}
			reported[path] = true
			message := "has changed since release " + release.Tag
			if migration == nil {
				message = "is in release " + release.Tag + " and gone"
			}
			findings = append(findings, Finding{Path: path, Message: message})
		}
	}
	return findings
}
