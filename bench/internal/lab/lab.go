// Package lab is shared by the benchmarks. It has migrated databases, counters, and the layout of printed tables.
//
// Times on a busy machine are noisy, so each benchmark lets the compared sides take turns within one run. It also prints
// figures that do not depend on the machine: buffers, rows, WAL.
package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// Run calls work with a pool on a migrated database, which is dropped afterwards, and ends the program.
func Run(work func(ctx context.Context, pool *pgxpool.Pool) error) {
	if err := run(context.Background(), work); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, work func(ctx context.Context, pool *pgxpool.Pool) error) error {
	return onServer(ctx, func(server *Server) error {
		pool, err := server.New(ctx)
		if err != nil {
			return err
		}
		return work(ctx, pool)
	})
}

// Server makes migrated databases for a benchmark that compares several databases.
type Server struct {
	session *pgdatabase.Session
	names   []string
	pools   []*pgxpool.Pool
}

// RunServer calls work with a server, drops the databases made on it, and ends the program.
func RunServer(work func(ctx context.Context, server *Server) error) {
	ctx := context.Background()
	if err := onServer(ctx, func(server *Server) error { return work(ctx, server) }); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func onServer(ctx context.Context, work func(server *Server) error) (err error) {
	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Stop()) }()
	server := &Server{session: session}
	defer func() { err = errors.Join(err, server.Clear(ctx)) }()
	return work(server)
}

// New returns a pool on a new migrated database.
func (s *Server) New(ctx context.Context) (*pgxpool.Pool, error) {
	name, err := s.session.CreateMigrated(ctx)
	if err != nil {
		return nil, err
	}
	s.names = append(s.names, name)
	return s.open(ctx, name)
}

// open returns a pool of up to 20 connections. The default of pgx would be four on two cores.
func (s *Server) open(ctx context.Context, name string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(s.session.URL(name))
	if err != nil {
		return nil, err
	}
	config.MaxConns = 20
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	s.pools = append(s.pools, pool)
	return pool, nil
}

// NewAt returns a pool on a new database with the migrations of a commit of this repository.
func (s *Server) NewAt(ctx context.Context, commit string) (*pgxpool.Pool, error) {
	pool, err := s.NewEmpty(ctx)
	if err != nil {
		return nil, err
	}
	return pool, migrateTo(ctx, pool, commit)
}

// NewEmpty returns a pool on a new database without the schema, for another library.
func (s *Server) NewEmpty(ctx context.Context) (*pgxpool.Pool, error) {
	name, err := s.session.CreateEmpty(ctx)
	if err != nil {
		return nil, err
	}
	s.names = append(s.names, name)
	return s.open(ctx, name)
}

// Version returns the version of a module that the program is built with.
func Version(module string) string {
	if info, there := debug.ReadBuildInfo(); there {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return "of an unknown version"
}

// Clear closes all pools and drops all databases.
func (s *Server) Clear(ctx context.Context) (err error) {
	for _, pool := range s.pools {
		pool.Close()
	}
	for _, name := range s.names {
		err = errors.Join(err, s.session.Drop(ctx, name))
	}
	s.pools, s.names = nil, nil
	return err
}

// WAL returns the bytes of WAL that work wrote. No other session may write meanwhile.
func WAL(ctx context.Context, pool *pgxpool.Pool, work func() error) (bytes int64, err error) {
	var before string
	if err := pool.QueryRow(ctx, "select pg_current_wal_insert_lsn()::text").Scan(&before); err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	err = pool.QueryRow(ctx, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::text::pg_lsn)::bigint", before).Scan(&bytes)
	return bytes, err
}

// Median returns the median of some values.
func Median[N cmp.Ordered](values []N) N {
	slices.Sort(values)
	return values[len(values)/2]
}

// Table prints rows with aligned columns. The first row is the head.
func Table(rows [][]string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				_, _ = fmt.Fprint(w, "\t")
			}
			_, _ = fmt.Fprint(w, cell)
		}
		_, _ = fmt.Fprintln(w)
	}
	_ = w.Flush()
}

// BackendCPU returns the CPU time that a connection's server process has used. The server must run on this
// machine, under Linux.
func BackendCPU(ctx context.Context, conn *pgxpool.Conn) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", conn.Conn().PgConn().PID()))
	if err != nil {
		return 0, err
	}
	var nanoseconds int64
	_, err = fmt.Sscan(string(raw), &nanoseconds)
	return time.Duration(nanoseconds), err
}
