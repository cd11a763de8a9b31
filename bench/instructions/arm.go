package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// manyPartitions is the number of ranges of each partitioned table in the database "many".
const manyPartitions = 36

// arm is a schema that is measured: a copy of a server's files. The server has the databases "few" and "many", which differ in
// their numbers of partitions.
type arm struct {
	commit string // "" for this tree
	bin    string // the directory of the server's programs
	data   string // the copied data directory
	work   string // where files of a measurement go
	owner  *syscall.Credential
}

func (a *arm) String() string {
	if a.commit == "" {
		return "this tree"
	}
	return a.commit
}

// newWork makes a directory that the server's account may use.
func newWork() (string, error) {
	dir, err := os.MkdirTemp("/var/tmp", "pgtasker-instructions.")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711)
}

// newArm installs the schema of commit in a new server, and keeps a copy of the server's files in a directory below work.
func newArm(ctx context.Context, work string, number int, commit string) (_ *arm, err error) {
	a := &arm{commit: commit, work: filepath.Join(work, fmt.Sprint(number))}
	server, err := pgserver.StartCrashSafe(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	a.bin = server.Bin
	data, err := a.install(ctx, server.URL)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", a, err)
	}
	if a.owner, err = ownerOf(data); err != nil {
		return nil, err
	}
	if err := os.Mkdir(a.work, 0o700); err != nil {
		return nil, err
	}
	if a.owner != nil {
		if err := os.Chown(a.work, int(a.owner.Uid), int(a.owner.Gid)); err != nil {
			return nil, err
		}
	}
	a.data = filepath.Join(a.work, "data")
	return a, a.copyFiles(ctx, data, a.data)
}

// install makes the databases, and returns the server's data directory. Nothing in it changes after the last checkpoint.
func (a *arm) install(ctx context.Context, address string) (data string, err error) {
	admin, err := pgx.Connect(ctx, address)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, admin.Close(ctx)) }()
	// The statistics of tables must not depend on when autovacuum reads the tables.
	for _, sql := range []string{"alter system set autovacuum = off", "select pg_reload_conf()", "create database few"} {
		if _, err := admin.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	if err := a.fillFew(ctx, admin.Config()); err != nil {
		return "", err
	}
	if _, err := admin.Exec(ctx, "create database many template few"); err != nil {
		return "", err
	}
	if err := a.fillMany(ctx, admin.Config()); err != nil {
		return "", err
	}
	if _, err := admin.Exec(ctx, "checkpoint"); err != nil {
		return "", err
	}
	return data, admin.QueryRow(ctx, "show data_directory").Scan(&data)
}

func (a *arm) fillFew(ctx context.Context, admin *pgx.ConnConfig) error {
	return in(ctx, admin, "few", func(conn *pgx.Conn) error {
		if err := lab.MigrateConn(ctx, conn, a.commit); err != nil {
			return err
		}
		return conn.PgConn().Exec(ctx, drivers).Close()
	})
}

// fillMany lets the engine itself make the partitions.
func (a *arm) fillMany(ctx context.Context, admin *pgx.ConnConfig) error {
	return in(ctx, admin, "many", func(conn *pgx.Conn) error {
		var n, made int
		if err := conn.QueryRow(ctx, "select count(*) from tasker.partition_ranges").Scan(&n); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "update tasker.partition_config set premake = premake + $1, backend = 'builtin'", manyPartitions-n); err != nil {
			return err
		}
		for n < manyPartitions {
			if err := conn.QueryRow(ctx, "select tasker.ensure_partitions()").Scan(&made); err != nil {
				return err
			}
			if n += made; made == 0 {
				return fmt.Errorf("%d partitions instead of %d", n, manyPartitions)
			}
		}
		return nil
	})
}

// in calls `work` with a connection to the database.
func in(ctx context.Context, admin *pgx.ConnConfig, database string, work func(conn *pgx.Conn) error) error {
	config := admin.Copy()
	config.Database = database
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	return errors.Join(work(conn), conn.Close(ctx))
}

// ownerOf returns the account that owns a directory, if this process is root and must act as that account. Otherwise it returns
// nil.
func ownerOf(path string) (*syscall.Credential, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		return &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}, nil
	}
	return nil, nil
}

// copyFiles copies a data directory.
func (a *arm) copyFiles(ctx context.Context, from, to string) error {
	if output, err := exec.CommandContext(ctx, "cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copy %s: %w\n%s", from, err, output)
	}
	err := os.Remove(filepath.Join(to, "postmaster.pid"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
