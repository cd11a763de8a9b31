// Package made reads the list of source files that each migration was composed of, so that a database and a program can be compared by
// content and not only by version.
package made

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Build has the files of one migration. Each line of Files has a file's name and its digest, or "dropped".
type Build struct{ Version, Files string }

// Note returns the statement with which a migration notes a build.
func Note(b Build) string {
	return fmt.Sprintf("insert into tasker.schema_builds (version, files) values ('%s', '%s');\n", b.Version, b.Files)
}

var note = regexp.MustCompile(`(?m)^insert into tasker\.schema_builds \(version, files\) values \('(\d+)', '([^']*)'\);$`)

// Parse returns the builds that a migration notes.
func Parse(migration string) (builds []Build) {
	for _, match := range note.FindAllStringSubmatch(migration, -1) {
		builds = append(builds, Build{match[1], match[2]})
	}
	return builds
}

// Line returns the line of a file in a build.
func Line(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	return name + " " + hex.EncodeToString(sum[:8])
}

// Files returns lines in the form that a build has.
func Files(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// Digest returns the value of tasker.schema_build for the newest version, and that version.
func Digest(builds []Build) (version, digest string) {
	builds = slices.Clone(builds)
	slices.SortFunc(builds, func(a, b Build) int { return cmp.Compare(a.Version, b.Version) })
	var text strings.Builder
	for _, b := range builds {
		text.WriteString(b.Version + "\n" + b.Files)
		version = b.Version
	}
	sum := sha256.Sum256([]byte(text.String()))
	return version, hex.EncodeToString(sum[:])
}

// Newest returns the digest of each file after all builds, or "dropped" for a file that is gone.
func Newest(builds []Build) map[string]string {
	files := map[string]string{}
	for _, b := range builds {
		for line := range strings.Lines(b.Files) {
			if name, digest, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				files[name] = digest
			}
		}
	}
	return files
}

// Differences returns the files in which two lists of builds differ, for the versions in applied.
func Differences(a, b []Build, applied func(version string) bool) (names []string) {
	only := func(builds []Build) map[string]string {
		return Newest(slices.DeleteFunc(slices.Clone(builds), func(b Build) bool { return !applied(b.Version) }))
	}
	as, bs := only(a), only(b)
	for name, digest := range as {
		if bs[name] != digest {
			names = append(names, name)
		}
	}
	for name := range bs {
		if _, both := as[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Different returns a text with the number of files that differ and their names. It lists only some names if there are many.
func Different(names []string) string {
	const shown = 10
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if len(names) > shown {
		text += ", …"
	}
	return fmt.Sprintf("%d files of db/schema differ (%s)", len(names), text)
}
