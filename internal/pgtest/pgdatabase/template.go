package pgdatabase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// buildLock is the key of the advisory lock for building templates: "pgtest"
// in ASCII. Advisory locks belong to a database, here the administrative one.
const buildLock = 0x706774657374

// ensureTemplate returns the name of a complete template.
func (d *Databases) ensureTemplate(ctx context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.template != "" {
		return d.template, nil
	}
	hash, err := d.schema.hash()
	if err != nil {
		return "", err
	}
	name, err := d.ensure(ctx, hash, func(building string) error {
		if err := d.createEmpty(ctx, building); err != nil {
			return err
		}
		return d.fill(ctx, building)
	})
	if err != nil {
		return "", err
	}
	d.template = name
	return name, nil
}

// ensure returns the name of the template for hash. If the server has no such template, build makes it under another
// name first.
func (d *Databases) ensure(ctx context.Context, hash string, build func(building string) error) (string, error) {
	name := "pgtest_template_" + hash
	found, err := exists(ctx, d.admin, name)
	if err == nil && !found {
		err = d.buildOnce(ctx, name, "pgtest_building_"+hash, build)
	}
	return name, err
}

// buildOnce builds the template, unless another process has built it in the meantime.
func (d *Databases) buildOnce(ctx context.Context, name, building string, build func(building string) error) (err error) {
	// The lock belongs to a session. The end of the session releases it, even after the end of ctx.
	conn, err := d.admin.Acquire(ctx)
	if err != nil {
		return err
	}
	lock := conn.Hijack()
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }()
	if _, err := lock.Exec(ctx, `select pg_advisory_lock($1)`, int64(buildLock)); err != nil {
		return err
	}

	found, err := exists(ctx, lock, name)
	if err != nil || found {
		return err
	}
	if err := d.Drop(ctx, building); err != nil { // left by a killed builder
		return err
	}
	if err := build(building); err != nil {
		return errors.Join(err, d.Drop(context.WithoutCancel(ctx), building))
	}
	if err := d.Seal(ctx, building); err != nil {
		return err
	}
	_, err = lock.Exec(ctx, fmt.Sprintf(`alter database %s rename to %s`, quote(building), quote(name)))
	return err
}

// Seal prepares a database for copying. The database then refuses connections, and the processes of extensions in it
// end.
func (d *Databases) Seal(ctx context.Context, name string) error {
	_, err := d.admin.Exec(ctx, fmt.Sprintf(`alter database %s allow_connections false`, quote(name)))
	if err != nil {
		return err
	}
	_, err = d.admin.Exec(ctx, `select pg_terminate_backend(a.pid, 30000) from pg_stat_activity as a where a.datname = $1`, name)
	return err
}

// fill migrates the database and loads the fixtures.
func (d *Databases) fill(ctx context.Context, name string) error {
	pool, err := pgxpool.New(ctx, d.URL(name))
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := d.schema.Migrate(ctx, pool); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	fixtures, err := d.schema.fixtures()
	if err != nil {
		return err
	}
	for _, fixture := range fixtures {
		text, err := fs.ReadFile(d.schema.Fixtures, fixture)
		if err != nil {
			return err
		}
		if err := load(ctx, pool, string(text)); err != nil {
			return fmt.Errorf("fixture %s%s: %w", fixture, lineOf(err, string(text)), err)
		}
	}
	return nil
}

// load executes all statements of text in one transaction.
func load(ctx context.Context, pool *pgxpool.Pool, text string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		return tx.Conn().PgConn().Exec(ctx, text).Close()
	})
}

// lineOf returns the line of an error in text, such as ":12", or "" if the server did not report a position.
func lineOf(err error, text string) string {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) || failure.Position == 0 {
		return ""
	}
	before := []rune(text)
	before = before[:min(int(failure.Position)-1, len(before))]
	return fmt.Sprintf(":%d", 1+strings.Count(string(before), "\n"))
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func exists(ctx context.Context, db querier, name string) (found bool, err error) {
	err = db.QueryRow(ctx, `select exists (select from pg_database where datname = $1)`, name).Scan(&found)
	return found, err
}
