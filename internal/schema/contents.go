package schema

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// These are the places of the schema in the repository.
const (
	schemaDir     = "db/schema"
	migrationsDir = "db/migrations"
	contentsPath  = schemaDir + "/schema.sql"
)

// Section is one of the initial migrations: a heading in the contents page and the files under it.
type Section struct {
	Version string   // 20261121000100
	Name    string   // foundation
	About   string   // one line
	AsOwner bool     // runs as tasker_owner
	Paths   []string // db/schema/…, in the order of loading
}

// MigrationPath returns the path of the section's migration in the repository.
func (s *Section) MigrationPath() string {
	return fmt.Sprintf("%s/%s_%s.sql", migrationsDir, s.Version, s.Name)
}

var (
	headingLine    = regexp.MustCompile(`^-- migration: (\d{14})_([a-z][a-z0-9_]*) — (\S.*)$`)
	includeLine    = regexp.MustCompile(`^\\ir (\S+\.sql)$`)
	roleSwitchLine = regexp.MustCompile(`^(set local role tasker_owner;|reset role;)$`)
	settingLine    = regexp.MustCompile(`^\\set \S`)
)

// parseContents reads schema.sql. It continues after a mistake, so that it finds all mistakes in one run.
func parseContents(text string) ([]*Section, []Finding) {
	var (
		sections []*Section
		findings []Finding
		section  *Section // the section whose files follow
		heading  bool     // still in the comment block of its heading
	)
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		report := func(format string, args ...any) {
			findings = append(findings, Finding{contentsPath, i + 1, fmt.Sprintf(format, args...)})
		}
		comment := strings.HasPrefix(line, "--")
		heading = heading && comment
		switch m := headingLine.FindStringSubmatch(line); {
		case m != nil:
			if n := len(sections); n > 0 && sections[n-1].Version >= m[1] {
				report("version %s is not above the one of the section before it", m[1])
			}
			section = &Section{Version: m[1], Name: m[2], About: m[3], AsOwner: true}
			sections = append(sections, section)
			heading = true
		case line == roleNoneLine && heading:
			section.AsOwner = false
		case looksLikeDirective(line):
			report("%q is no directive, or not in its place; write %q or, in the comment block under it, %q",
				line, "-- migration: <version>_<name> — <what it is>", roleNoneLine)
		case includeLine.MatchString(line):
			if section == nil {
				report("a file is listed before the first section")
				continue
			}
			file := path.Join(schemaDir, includeLine.FindStringSubmatch(line)[1])
			section.Paths = append(section.Paths, file)
		case line == "", comment, roleSwitchLine.MatchString(line), settingLine.MatchString(line):
		default:
			report("%q belongs in a file: no migration would hold it", line)
		}
	}
	for _, section := range sections {
		if len(section.Paths) == 0 {
			findings = append(findings, Finding{Path: contentsPath, Message: "section " + section.Name + " lists no file"})
		}
	}
	return sections, findings
}
