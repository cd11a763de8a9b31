// Command mutate tries the tests of the SQL engine: it changes one thing in one function, runs the tests that touch
// the function, and lists the changes that none of them notices. It is run from the repository's root, by make:
//
//	mutate [-n 200] [-seed 1] [-rooms claim,result,…] [-go ./internal/tests/modeltest,…]
//
// For each change the pgTAP folders of the function and its callers run, the nearest first; then, if nothing was
// noticed, the Go packages named by -go. A change that PostgreSQL refuses to load is passed over.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/mutate"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

var (
	count    = flag.Int("n", 200, "how many changes are tried")
	seed     = flag.Uint64("seed", 1, "which ones: the same number picks the same changes of the same files")
	rooms    = flag.String("rooms", "claim,result,evaluate,timer,transition,operate,lock,create", "the rooms that are changed")
	packages = flag.String("go", "./internal/tests/racetest,./internal/tests/modeltest", "Go packages that try what pgTAP did not notice")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survivors, err := run(ctx, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	if survivors > *count/20 {
		os.Exit(1)
	}
}

// candidate is a mutation of a function.
type candidate struct {
	function string
	mutate.Mutation
}

func run(ctx context.Context, out io.Writer) (survivors int, err error) {
	root, err := checkout.Root()
	if err != nil {
		return 0, err
	}
	tree, err := mutate.ReadTree(root)
	if err != nil {
		return 0, err
	}
	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Stop()) }()
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	l := &laboratory{root: root, work: work, tree: tree, session: session}
	if err := l.build(ctx); err != nil {
		return 0, err
	}

	var noticed, invalid int
	for _, c := range pick(tree) {
		if noticed+survivors == *count || ctx.Err() != nil {
			break
		}
		start := time.Now()
		verdict, err := l.try(ctx, c)
		if err != nil {
			return 0, fmt.Errorf("%s, %s: %w", c.function, c, err)
		}
		switch verdict {
		case "":
			survivors++
			verdict = "SURVIVED"
		case invalidChange:
			invalid++
			continue
		default:
			noticed++
		}
		_, _ = fmt.Fprintf(out, "%4d  %-9s %5.1fs  %s, %s\n", noticed+survivors, verdict, time.Since(start).Seconds(), c.function, c)
	}
	_, _ = fmt.Fprintf(out, "\n%d changes noticed, %d survived, %d more did not load\n", noticed, survivors, invalid)
	return survivors, ctx.Err()
}

// pick returns the mutations of the chosen rooms in random order.
func pick(tree mutate.Tree) (candidates []candidate) {
	chosen := strings.Split(*rooms, ",")
	for name, function := range tree {
		if slices.Contains(chosen, function.Room()) {
			for _, mutation := range mutate.Of(function.Text) {
				candidates = append(candidates, candidate{name, mutation})
			}
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return strings.Compare(fmt.Sprintf("%s %05d %s", a.function, a.Line, a.New), fmt.Sprintf("%s %05d %s", b.function, b.Line, b.New))
	})
	random := rand.New(rand.NewPCG(*seed, 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	return candidates
}

const invalidChange = "invalid"

// laboratory tries mutations, one after the other, on one server.
type laboratory struct {
	root, work string
	tree       mutate.Tree
	session    *pgdatabase.Session
	tests      []string // compiled Go tests
}

// build compiles what is run for each mutation.
func (l *laboratory) build(ctx context.Context) error {
	builds := [][]string{{"build", "-o", filepath.Join(l.work, "pgtest"), "./internal/cmd/pgtest"}}
	for path := range strings.SplitSeq(*packages, ",") {
		if path != "" {
			test := filepath.Join(l.work, filepath.Base(path)+".test")
			builds = append(builds, []string{"test", "-c", "-o", test, path})
			l.tests = append(l.tests, test)
		}
	}
	for _, args := range builds {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Stderr = l.root, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// try returns who noticed the mutation, or nothing.
func (l *laboratory) try(ctx context.Context, c candidate) (verdict string, err error) {
	file := filepath.Join(l.work, "mutation.sql")
	if err := os.WriteFile(file, []byte("set local role tasker_owner;\n"+c.Text+"\nreset role;\n"), 0o600); err != nil {
		return "", err
	}
	if valid, err := l.loads(ctx, file); err != nil || !valid {
		return invalidChange, err
	}
	defer func() { err = errors.Join(err, l.dropTemplates(context.WithoutCancel(ctx))) }()

	var folders []string
	for _, folder := range l.tree.Reach(c.function) {
		path := filepath.Join(l.root, "pgtap", folder)
		if _, err := os.Stat(path); err == nil {
			folders = append(folders, path)
		}
	}
	for stage := range slices.Chunk(folders, 12) {
		if !l.passes(ctx, file, filepath.Join(l.work, "pgtest"), append([]string{"pgtap"}, stage...)...) {
			return "pgTAP", ctx.Err()
		}
	}
	for _, test := range l.tests {
		if !l.passes(ctx, file, test, "-test.timeout", "5m", "-test.failfast") {
			return "Go", ctx.Err()
		}
	}
	return "", ctx.Err()
}

// passes runs tests against a database with the mutation.
func (l *laboratory) passes(ctx context.Context, file, program string, args ...string) bool {
	ctx, cancel := context.WithTimeout(ctx, 6*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = l.root
	if strings.HasSuffix(program, ".test") {
		cmd.Dir = filepath.Join(l.root, "internal", strings.TrimSuffix(filepath.Base(program), ".test"))
	}
	cmd.Env = append(os.Environ(), "PGTASKER_TEST_MUTATION="+file, "PGTASKER_TEST_DATABASE_URL="+l.session.URL("postgres"))
	return cmd.Run() == nil
}

// loads tells whether PostgreSQL takes the changed function.
func (l *laboratory) loads(ctx context.Context, file string) (valid bool, err error) {
	name, err := l.session.CreateMigrated(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, l.session.Drop(context.WithoutCancel(ctx), name)) }()
	conn, err := pgx.Connect(ctx, l.session.URL(name))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	text, err := os.ReadFile(file) //nolint:gosec // written by try
	if err != nil {
		return false, err
	}
	return conn.PgConn().Exec(ctx, "begin;"+string(text)+"commit;").Close() == nil, nil
}

// dropTemplates drops the databases that tests cloned theirs from, but the one without a mutation.
func (l *laboratory) dropTemplates(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, l.session.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	rows, err := conn.Query(ctx, `
		select d.datname
		  from pg_database as d
		 where d.datname like 'pgtest\_%'
		   and pg_catalog.shobj_description(d.oid, 'pg_database') = 'mutated'`)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		err = errors.Join(err, l.session.Drop(ctx, name))
	}
	return err
}
