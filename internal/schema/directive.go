package schema

import (
	"fmt"
	"regexp"
	"strings"
)

// These lines are directives. All are spelled exactly so and begin in the first column.
const (
	roleNoneLine  = "-- role: none"
	downPrefix    = "-- down: "
	downNothing   = "nothing"
	upLine        = "-- migrate:up"
	downLine      = "-- migrate:down"
	copyPrefix    = "-- >>> "
	copyEnd       = "-- <<<"
	droppedSuffix = ": dropped"
	handLine      = "-- >>> hand-written"
	handEnd       = "-- <<< hand-written"
	stayLocal     = "set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes"
	briefly       = "set local lock_timeout = '2s'; -- All callers queue behind a migration that waits for a lock. If it fails, repeat it."
	becomeOwner   = "set local role tasker_owner;"
	becomeSelf    = "reset role;"
)

// maxLine is the longest line that tools which read line by line with a 64 KiB buffer can take.
const maxLine = 64*1024 - 1

var (
	directiveLike = regexp.MustCompile(`(?i)^\s*--\s*(down|role|migration)\s*:`)
	migrateLike   = regexp.MustCompile(`(?i)^\s*--\s*migrate\s*:`)
	markerLike    = regexp.MustCompile(`^\s*--\s*(>>>|<<<)`)
)

// looksLikeDirective reports whether the line may be meant as a directive of this package
// or of dbmate.
func looksLikeDirective(line string) bool {
	return directiveLike.MatchString(line) || migrateLike.MatchString(line)
}

// downDirective returns the explicit down part of a schema file, which its leading comment block may hold: the
// statements, and whether there is a down part. The down part "nothing" has no statements.
func downDirective(file, text string) (statements []string, given bool, findings []Finding) {
	leading := true
	for i, line := range lines(text) {
		report := func(message string) {
			findings = append(findings, Finding{file, i + 1, message})
		}
		trimmed := strings.TrimSpace(line)
		leading = leading && (trimmed == "" || strings.HasPrefix(trimmed, "--"))
		switch {
		case leading && strings.HasPrefix(line, downPrefix) && trimmed != strings.TrimSpace(downPrefix):
			given = true
			if statement := strings.TrimSpace(strings.TrimPrefix(line, downPrefix)); statement != downNothing {
				statements = append(statements, statement)
			}
		case migrateLike.MatchString(line), markerLike.MatchString(line):
			report(fmt.Sprintf("%q would be taken for a line of the migration", trimmed))
		case directiveLike.MatchString(line) && (leading || !strings.HasPrefix(line, " ")):
			report(fmt.Sprintf("%q is no directive, or not in the leading comment block; write %q",
				trimmed, downPrefix+"<statement>;"))
		}
	}
	if n := len(statements); n > 0 && !strings.HasSuffix(statements[n-1], ";") {
		findings = append(findings, Finding{Path: file, Message: "the down directive does not end in a semicolon"})
	}
	return statements, given, findings
}

// lines cuts a text into lines without their ends. The text's last line end opens no further line.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// longLines returns a finding for each line that is too long.
func longLines(file, text string) (findings []Finding) {
	for i, line := range lines(text) {
		if len(line) > maxLine {
			findings = append(findings, Finding{file, i + 1, fmt.Sprintf("the line has %d bytes; %d is the limit", len(line), maxLine)})
		}
	}
	return findings
}
