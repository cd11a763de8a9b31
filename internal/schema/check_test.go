package schema_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
	"github.com/pgtasker/pgtasker/internal/schema/schematest"
)

// edit changes a file of testdata/base. It replaces every old text. Without an old text it appends, or makes the file. Without both
// texts it deletes the file.
type edit struct{ file, old, new string }

const (
	page       = "db/schema/schema.sql"
	lane       = "db/schema/types/lane.sql"
	jobsTable  = "db/schema/tables/jobs.sql"
	dropJobs   = "db/schema/functions/job/drop_jobs.sql"
	foundation = "db/migrations/20260101000100_foundation.sql"
	jobs       = "db/migrations/20260101000200_jobs.sql"
)

// first returns an edit that puts a line before a text of a file.
func first(file, old, line string) edit { return edit{file, old, line + old} }

var (
	twoNewFiles = []edit{
		{"db/schema/tables/notes.sql", "", "create table tasker.notes (\n  note  text  not null\n);\n"},
		{"db/schema/functions/job/count_jobs.sql", "", "create or replace function tasker.count_jobs()\n  returns bigint\n  language sql\nas $$ select 1 $$;\n"},
		{page, `\ir rows/lane_counts.sql`, "\\ir tables/notes.sql\n\\ir functions/job/count_jobs.sql\n\\ir rows/lane_counts.sql"},
	}
	twoStaleCopies = []edit{{jobsTable, "Work to be done.", "Work."}, {dropJobs, "Deletes every job.", "Deletes all jobs."}}
)

func TestCheck_FindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edits    []edit
		released bool
		want     string
	}{
		"a new file": {
			twoNewFiles, false,
			"db/schema/functions/job/count_jobs.sql: is in no migration\ndb/schema/tables/notes.sql: is in no migration",
		},
		"a new file after the release, when people migrate tables": {twoNewFiles, true, "db/schema/functions/job/count_jobs.sql: is in no migration"},
		"a stale copy": {
			twoStaleCopies, false,
			dropJobs + ": differs from its newest copy in the migrations\n" + jobsTable + ": differs from its newest copy in the migrations",
		},
		"a stale copy after the release": {twoStaleCopies, true, dropJobs + ": differs from its newest copy in the migrations"},
		"a file that is gone": {
			[]edit{{dropJobs, "", ""}, {page, "\\ir functions/job/drop_jobs.sql\n", ""}},
			true,
			dropJobs + ": is gone, but the migrations still create it",
		},
		"a file that is listed twice": {[]edit{{page, `\ir types/lane.sql`, "\\ir types/lane.sql\n\\ir types/lane.sql"}}, false, lane + ": is listed twice in " + page},
		"a file that is not listed":   {[]edit{{page, "\\ir functions/job/drop_jobs.sql\n", ""}}, false, dropJobs + ": is not listed in " + page},
		"a file that is not there":    {[]edit{{lane, "", ""}}, false, page + ": lists " + lane + ", which is not there"},
		"a migration without a section": {
			[]edit{{"db/migrations/20260101000300_by_hand.sql", "", "-- migrate:up\nselect 1;\n\n-- migrate:down\nselect 2;\n"}},
			false,
			"db/migrations/20260101000300_by_hand.sql: has no section in " + page,
		},
		"a section whose migration differs": {
			[]edit{{page, "-- role: none", "-- the role directive is gone"}, {page, "and what works on them", "and what works"}},
			false,
			foundation + ": differs from what its section gives: compose it\n" + jobs + ": differs from what its section gives: compose it",
		},
		"a released migration that has changed": {[]edit{{jobs, "reset role;", "reset role; -- altered"}}, true, jobs + ": has changed since release v0.1.0"},
		"lines of the contents page": {
			[]edit{
				first(page, "-- Contents page and loader", "\\ir roles.sql\n-- migration: 20260101000050_hyphen - a hyphen instead of a dash\n"),
				{page, "-- role: none\n", "-- Role: none\n"},
				{page, "\\ir data/jobs.sql\n", "\\ir data/jobs.sql\n-- role: none\ncreate table tasker.left_out ();\n\\i tables/jobs.sql\n-- migration: 20260101000150_empty — below the one before it\n"},
			}, false, `db/schema/schema.sql: section empty lists no file
db/schema/schema.sql:1: a file is listed before the first section
db/schema/schema.sql:2: "-- migration: 20260101000050_hyphen - a hyphen instead of a dash" is no directive, or not in its place; write "-- migration: <version>_<name> — <what it is>" or, in the comment block under it, "-- role: none"
db/schema/schema.sql:7: "-- Role: none" is no directive, or not in its place; write "-- migration: <version>_<name> — <what it is>" or, in the comment block under it, "-- role: none"
db/schema/schema.sql:26: "-- role: none" is no directive, or not in its place; write "-- migration: <version>_<name> — <what it is>" or, in the comment block under it, "-- role: none"
db/schema/schema.sql:27: "create table tasker.left_out ();" belongs in a file: no migration would hold it
db/schema/schema.sql:28: "\\i tables/jobs.sql" belongs in a file: no migration would hold it
db/schema/schema.sql:29: version 20260101000150 is not above the one of the section before it`,
		},
		"the contents of files": {
			[]edit{
				{"db/schema/data/jobs.sql", "-- down: delete from tasker.jobs;\n", ""},
				{"db/schema/functions/internal/clock.sql", "create or replace", "create"},
				{dropJobs, "", "create table tasker.more ();\n"},
				{"db/schema/functions/job/job_age.sql", "tasker.job_age", "tasker.push_job"},
				{jobsTable, "", "comment on table tasker.jobs is 'does not end;\n"},
				{"db/schema/triggers/jobs_touch.sql", "each update.';\n", "each update.';"},
				first(lane, "create type", "create extension hstore;\n"),
				{"db/schema/views/job_ages.sql", "create or replace", "create"},
			}, false, `db/schema/data/jobs.sql: creates nothing: write a line -- down: <statement>; or -- down: nothing
db/schema/functions/internal/clock.sql: write create or replace function
db/schema/functions/job/drop_jobs.sql: mixes what can be replaced with what cannot: one object per file
db/schema/functions/job/push_job.sql: creates function tasker.push_job as db/schema/functions/job/job_age.sql does: no overloads
db/schema/tables/jobs.sql: line 20: a quotation opened by ' does not end
db/schema/triggers/jobs_touch.sql: the last line has no end
db/schema/types/lane.sql: what undoes create extension is not known: write a line -- down: <statement>;
db/schema/views/job_ages.sql: write create or replace view`,
		},
		"directives of files": {
			[]edit{
				{"db/schema/data/jobs.sql", "-- down: delete from tasker.jobs;", "-- down:"},
				first("db/schema/functions/internal/clock.sql", "create or replace", "-- Down: drop function tasker.clock;\n"),
				{dropJobs, "", "-- down: drop function tasker.drop_jobs;\n"},
				first("db/schema/functions/job/job_age.sql", "create or replace", "-- down: drop function tasker.job_age\n"),
				first("db/schema/triggers/jobs_touch.sql", "create or replace trigger", "-- migrate:down\n"),
				first(lane, "create type", "--down: drop type tasker.lane;\n"),
				first("db/schema/views/job_ages.sql", "create or replace", "-- <<<\n"),
			}, false, `db/schema/data/jobs.sql: creates nothing: write a line -- down: <statement>; or -- down: nothing
db/schema/data/jobs.sql:1: "-- down:" is no directive, or not in the leading comment block; write "-- down: <statement>;"
db/schema/functions/internal/clock.sql:1: "-- Down: drop function tasker.clock;" is no directive, or not in the leading comment block; write "-- down: <statement>;"
db/schema/functions/job/drop_jobs.sql:15: "-- down: drop function tasker.drop_jobs;" is no directive, or not in the leading comment block; write "-- down: <statement>;"
db/schema/functions/job/job_age.sql: the down directive does not end in a semicolon
db/schema/triggers/jobs_touch.sql:1: "-- migrate:down" would be taken for a line of the migration
db/schema/types/lane.sql:1: "--down: drop type tasker.lane;" is no directive, or not in the leading comment block; write "-- down: <statement>;"
db/schema/views/job_ages.sql:1: "-- <<<" would be taken for a line of the migration`,
		},
		"the form of migrations": {
			[]edit{
				{"db/migrations/20260201000000_misspelled.sql", "", "--migrate:up\nselect 1;\n--  migrate:down\n"},
				{"db/migrations/20260201000300_two_ups.sql", "", "-- migrate:up\n-- migrate:down\n-- migrate:up\n"},
				{"db/migrations/20260201000300_twin.sql", "", "-- migrate:up\n-- migrate:down\n"},
				{"db/migrations/20260201000500_options.sql", "", "-- migrate:up transaction:false\n-- migrate:down\n"},
				{
					"db/migrations/20260201000600_markers.sql", "",
					"-- migrate:up\n-- >>> " + lane + "\n-- >>> " + lane + "\n-- <<<\n-- <<<\n-- >>> somewhere/else.sql\n-- >>> hand-written\n-- <<< hand-written\n-- migrate:down\n-- >>> hand-written\n",
				},
				{"db/migrations/2026_short.sql", "", "-- migrate:up\n-- migrate:down\n"},
			}, true, `db/migrations/20260201000000_misspelled.sql: lacks a line "-- migrate:up" or, after it, a line "-- migrate:down"
db/migrations/20260201000000_misspelled.sql:1: "--migrate:up": each migration has one line "-- migrate:up" and then one line "-- migrate:down"
db/migrations/20260201000000_misspelled.sql:3: "--  migrate:down": each migration has one line "-- migrate:up" and then one line "-- migrate:down"
db/migrations/20260201000300_two_ups.sql: has the version of db/migrations/20260201000300_twin.sql
db/migrations/20260201000300_two_ups.sql:3: "-- migrate:up": each migration has one line "-- migrate:up" and then one line "-- migrate:down"
db/migrations/20260201000500_options.sql: lacks a line "-- migrate:up" or, after it, a line "-- migrate:down"
db/migrations/20260201000500_options.sql:1: "-- migrate:up transaction:false": each migration has one line "-- migrate:up" and then one line "-- migrate:down"
db/migrations/20260201000500_options.sql:2: "-- migrate:down": each migration has one line "-- migrate:up" and then one line "-- migrate:down"
db/migrations/20260201000600_markers.sql: a stretch that begins with >>> does not end
db/migrations/20260201000600_markers.sql:3: "-- >>> db/schema/types/lane.sql" does not belong here
db/migrations/20260201000600_markers.sql:5: "-- <<<" does not belong here
db/migrations/20260201000600_markers.sql:6: "-- >>> somewhere/else.sql" does not belong here
db/migrations/2026_short.sql: is not named db/migrations/<14 digits>_<name>.sql`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := schematest.Base(t, "testdata")
			if c.released {
				base.Release()
			}
			findings := schema.Check(edited(t, base, c.edits).Load(t), base.Releases)
			require.NotEmpty(t, findings)
			require.Equal(t, c.want, schema.Findings(findings).Error())
		})
	}
}

func edited(t *testing.T, c schematest.Case, edits []edit) schematest.Case {
	t.Helper()
	for _, e := range edits {
		file := c.Files[e.file]
		if file == nil {
			file = &fstest.MapFile{}
		}
		text := string(file.Data) + e.new
		switch {
		case e.old == "" && e.new == "":
			require.NotEmpty(t, file.Data, e.file)
			text = ""
		case e.old != "":
			require.Contains(t, string(file.Data), e.old, e.file)
			text = strings.ReplaceAll(string(file.Data), e.old, e.new)
		}
		c = c.With(map[string]string{e.file: text})
	}
	return c
}
