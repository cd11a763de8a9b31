package verify_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/schema/schematest"
	"github.com/pgtasker/pgtasker/internal/schema/verify"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	jobs     = "db/migrations/20260101000200_jobs.sql"
	toDown   = "reset role;\n\n-- migrate:down\n"
	noPgDump = "compared by catalogue only: "
)

func TestVerify_HoldsForATreeThatAgrees(t *testing.T) {
	t.Parallel()
	log, err := verifyTree(t, schematest.Base(t, "../testdata"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"holds: the migrations build what db/schema/schema.sql builds\n",
		"holds: each migration's down part undoes its up part\n",
		"holds: all down parts leave nothing, and all up parts work again\n",
	}, proofs(log))
}

// For each change to the schema in the tests of package schema, the composed migration must work on a server. The tests of
// package schema compare only the text.
func TestVerify_HoldsForWhatIsComposed(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, c := range schematest.Cases(t, "../testdata", "compose") {
		changes, err := c.Compose(t)
		if err != nil {
			continue
		}
		tried++
		t.Run(filepath.Base(c.Dir), func(t *testing.T) {
			t.Parallel()
			_, err := verifyTree(t, c.Changed(changes))
			require.NoError(t, err)
		})
	}
	require.GreaterOrEqual(t, tried, 14)
}

func TestVerify_ShowsWhatDoesNotHold(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		file, old, new string   // old is replaced by new; old is empty for a new file
		want           []string // words that the error must contain
		holds          int      // how many proofs hold
	}{
		"a migration that lacks an index": {
			file:  jobs,
			old:   "create index jobs_lane_idx\n  on tasker.jobs (lane, job_id);",
			want:  []string{"20260101000200_jobs.sql: psql: exit status 3", "jobs_lane_idx"},
			holds: 0,
		},
		"another default": {
			file: jobs,
			old:  "default 'low',\n  pushed_at",
			new:  "default 'high',\n  pushed_at",
			want: []string{`does not hold: the migrations build what db/schema/schema.sql builds
- only in schema.sql
+ only in the migrations
 table tasker.jobs
-  column 2 lane tasker.lane not null default 'low'::tasker.lane storage p
+  column 2 lane tasker.lane not null default 'high'::tasker.lane storage p
`},
			holds: 2,
		},
		"a down part that leaves a trace": {
			file: "db/migrations/20260101000300_more.sql",
			new:  "-- migrate:up\ncomment on type tasker.lane is 'another';\n\n-- migrate:down\n",
			want: []string{`- only before db/migrations/20260101000300_more.sql
+ only after its up and down parts
 type tasker.lane
-  comment 'How urgent`},
			holds: 1,
		},
		"a down part that forgets a function": {
			file: jobs,
			old:  "drop function tasker.drop_jobs;\n",
			want: []string{
				"+function tasker.drop_jobs()\n",
				"20260101000100_foundation.sql: down: ERROR: cannot drop schema tasker",
			},
			holds: 1,
		},
		"a down part in the wrong order": {
			file:  jobs,
			old:   "drop trigger jobs_touch on tasker.jobs;\ndrop function tasker.touch_job;\n",
			new:   "drop function tasker.touch_job;\ndrop trigger jobs_touch on tasker.jobs;\n",
			want:  []string{"ERROR: cannot drop function tasker.touch_job() because other objects depend on it"},
			holds: 1,
		},
		"a contents page that psql cannot load": {
			file:  "db/schema/schema.sql",
			old:   `\ir types/lane.sql`,
			new:   `\ir types/lanes.sql`,
			want:  []string{"psql: exit status 3", "types/lanes.sql: No such file"},
			holds: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := schematest.Base(t, "../testdata")
			text := row.new
			if file := base.Files[row.file]; file != nil {
				require.Contains(t, string(file.Data), row.old)
				text = strings.Replace(string(file.Data), row.old, row.new, 1)
			}
			log, err := verifyTree(t, base.With(map[string]string{row.file: text}))
			require.Error(t, err)
			for _, want := range row.want {
				require.ErrorContains(t, err, want)
			}
			require.Len(t, proofs(log), row.holds, log)
		})
	}
}

// The description of the catalogue covers only this project's schemas. pg_dump shows a stray object in another schema, or the
// second attempt to create the object fails.
func TestVerify_SeesWhatIsOutsideOfTheSchemas(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ up, down, dumped, otherwise string }{
		"only in the migrations": {
			"create table public.stray ();\n", "drop table public.stray;\n",
			"only in the migrations (pg_dump)\n+stray; Type: TABLE; Schema: public; Owner: postgres\n", "",
		},
		"left by a down part": {
			"create table if not exists public.stray ();\n", "", "left by the down parts (pg_dump)\n+stray; Type: TABLE", "",
		},
		"in the way of a second attempt": {
			"create table public.stray ();\n", "",
			jobs + `: ERROR: relation "stray" already exists`, jobs + `: ERROR: relation "stray" already exists`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := schematest.Base(t, "../testdata")
			text := string(base.Files[jobs].Data)
			require.Contains(t, text, toDown)
			text = strings.Replace(text, toDown, "reset role;\n"+row.up+"\n-- migrate:down\n"+row.down, 1)
			log, err := verifyTree(t, base.With(map[string]string{jobs: text}))
			want := row.dumped
			if strings.Contains(log, noPgDump) {
				want = row.otherwise
			}
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, want)
		})
	}
}

// verifyTree verifies a case's tree and returns the log.
func verifyTree(t *testing.T, c schematest.Case) (string, error) {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, c.Files))
	var log bytes.Buffer
	err := verify.Verifier{Root: root, Databases: &testDatabases{t: t}, Log: &log}.Verify(t.Context())
	return log.String(), err
}

// proofs returns the lines about proofs that hold.
func proofs(log string) (holds []string) {
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "holds: ") {
			holds = append(holds, line)
		}
	}
	return holds
}

// testDatabases makes databases with pgtest, which drops them when the test ends.
type testDatabases struct {
	t    *testing.T
	mu   sync.Mutex
	urls map[string]string
}

func (d *testDatabases) CreateEmpty(context.Context) (string, error) {
	pool := pgtest.NewEmpty(d.t)
	d.mu.Lock()
	defer d.mu.Unlock()
	name := pool.Config().ConnConfig.Database
	if d.urls == nil {
		d.urls = map[string]string{}
	}
	d.urls[name] = pgtest.URL(pool)
	return name, nil
}

func (d *testDatabases) Drop(context.Context, string) error { return nil }

func (d *testDatabases) URL(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.urls[name]
}
