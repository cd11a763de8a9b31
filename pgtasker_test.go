package pgtasker_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestOpen_MigratesCallsAndWorks(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	db, err := pgtasker.Open(ctx, pgtest.URL(pgtest.NewEmpty(t)))
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.Migrate(ctx))
	require.NoError(t, db.Migrate(ctx), "the second time it does nothing")
	applied, err := migrate.Status(ctx, db.Pool)
	require.NoError(t, err)
	for _, m := range applied {
		require.True(t, m.Applied, m)
	}

	_, err = db.Templates().Register(ctx, []byte(`{"namespace": "shop", "name": "order", "steps": [{"name": "charge"}]}`))
	require.NoError(t, err)
	task, err := db.Tasks().Create(ctx, executor.TaskRequest{Namespace: "shop", Name: "order", Context: []byte(`{"order": 7}`)})
	require.NoError(t, err)
	w, err := db.Worker(worker.Config{Namespaces: []string{"shop"}})
	require.NoError(t, err)
	worker.Handle(w, "charge", func(context.Context, *worker.Job[struct{}]) (string, error) { return "charged", nil })
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()

	got, err := db.Tasks().Wait(ctx, task.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, got.State)
	stop()
	require.NoError(t, <-ended)
}

func TestOpen_FailsAtOnceWithoutADatabase(t *testing.T) {
	t.Parallel()
	_, err := pgtasker.Open(t.Context(), "postgres://localhost:notaport/x")
	require.ErrorContains(t, err, "pgtasker: open: ")
	_, err = pgtasker.Open(t.Context(), "host=/nowhere dbname=x")
	require.ErrorContains(t, err, "pgtasker: open: ")
}

func TestNew_LeavesThePoolToItsOwner(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	db := pgtasker.New(pool)
	_, err := db.Tasks().Get(t.Context(), uuid.New())
	require.ErrorIs(t, err, executor.ErrNotFound)
	db.Close()
	require.NoError(t, pool.Ping(t.Context()))
}

// Who imports the root package gets what it needs to run, no test package and no tool.
func TestImports_AreFewModules(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	out, err := list.Output()
	require.NoError(t, err)
	for _, module := range strings.Fields(string(out)) {
		require.Contains(t, []string{
			"github.com/pgtasker/pgtasker", "github.com/google/uuid",
			"github.com/jackc/pgx/v5", "github.com/jackc/pgpassfile", "github.com/jackc/pgservicefile", "github.com/jackc/puddle/v2",
			"go.yaml.in/yaml/v3", "golang.org/x/sync", "golang.org/x/text",
		}, module)
	}
}

// A service opens its database, brings it up to date and creates a task; a worker of it would run the step "charge".
func ExampleOpen() {
	ctx := context.Background()
	url, done := exampleDatabase() // os.Getenv("DATABASE_URL")
	defer done()

	db, err := pgtasker.Open(ctx, url)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(ctx); err != nil { // at each start
		log.Fatal(err)
	}

	_, err = db.Templates().Register(ctx, []byte(`{"namespace": "shop", "name": "order", "steps": [{"name": "charge"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	w, err := db.Worker(worker.Config{Namespaces: []string{"shop"}})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[order]) (string, error) {
		return fmt.Sprintf("charged order %d", job.Input.Number), nil
	})
	working, stop := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(working) }()

	task, err := db.Tasks().Create(ctx, executor.TaskRequest{Namespace: "shop", Name: "order", Context: []byte(`{"number": 7}`)})
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := db.Tasks().Wait(ctx, task.TaskUUID)
	if err != nil {
		log.Fatal(err)
	}
	charged, err := db.Tasks().Step(ctx, task.TaskUUID, "charge")
	if err != nil {
		log.Fatal(err)
	}
	stop()
	fmt.Println(outcome.State, string(charged.Results), <-stopped)
	// Output: complete "charged order 7" <nil>
}

type order struct {
	Number int `json:"number"`
}

// exampleDatabase returns the address of an empty database, and what drops it.
func exampleDatabase() (string, func()) {
	t := &pgtest.Example{}
	return pgtest.URL(pgtest.NewEmpty(t)), t.End
}

func TestMigrations_AreThoseOfTheRepository(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(pgtasker.Migrations(), "*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	onDisk, err := fs.Glob(os.DirFS("db/migrations"), "*")
	require.NoError(t, err)
	require.Equal(t, onDisk, names)
	for _, name := range names {
		require.Regexp(t, regexp.MustCompile(`^\d{14}_[a-z0-9_]+\.sql$`), name)
		want, err := os.ReadFile("db/migrations/" + name)
		require.NoError(t, err)
		got, err := fs.ReadFile(pgtasker.Migrations(), name)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

// Where the dbmate command-line tool is to apply the migrations, a program can write them to a directory.
func ExampleMigrations() {
	dir, err := os.MkdirTemp("", "migrations")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	if err := os.CopyFS(dir, pgtasker.Migrations()); err != nil {
		log.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	fmt.Println(len(files) > 0, err)
	// Output: true <nil>
}

func TestOpen_NoticesConnectionsThatDiedSilently(t *testing.T) {
	t.Parallel()
	db, err := pgtasker.Open(t.Context(), pgtest.URL(pgtest.NewEmpty(t)))
	require.NoError(t, err)
	defer db.Close()
	require.Positive(t, db.Pool.Config().PingTimeout)
}

// A server that accepts connections and says nothing costs a caller its own time-out. Afterwards the connections that were begun in vain
// hold no place of the pool for longer than the bound of connecting, although pgx goes on with them.
func TestOpen_ConnectionsThatAreBegunInVainGiveTheirPlacesBack(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	proxy := faultproxy.Postgres(t, pool)
	const places = 2
	db, err := pgtasker.Open(t.Context(), proxy.URL(pool.Config().ConnConfig.User)+"&pool_max_conns="+strconv.Itoa(places))
	require.NoError(t, err)
	defer func() { proxy.Cut(); db.Close() }()
	proxy.Silence(true)
	db.Pool.Reset()
	for range places {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		require.ErrorIs(t, db.Pool.Ping(ctx), context.DeadlineExceeded)
		cancel()
	}
	require.EqualValues(t, places, db.Pool.Stat().ConstructingConns())
	proxy.Heal()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	require.NoError(t, db.Pool.Ping(ctx), "%d places are held", db.Pool.Stat().ConstructingConns())
}
