package pgdatabase

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// adminConns is the largest number of databases that are created and dropped at the same time. A larger number is not faster.
const adminConns = 4

// Databases makes and drops databases on one server.
type Databases struct {
	server *url.URL
	admin  *pgxpool.Pool
	schema Schema
	copied string // the strategy for create database

	mu       sync.Mutex
	template string // its name, once it is known to exist
}

// Open connects to the server at address, a URL of a database from which other databases may be created. Migrated databases
// will have the given schema. The caller must call [Databases.Close].
func Open(ctx context.Context, address string, schema Schema) (*Databases, error) {
	server, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = adminConns
	admin, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	d := &Databases{server: server, admin: admin, schema: schema}
	if d.copied, err = copyStrategy(ctx, admin); err != nil {
		admin.Close()
		return nil, err
	}
	return d, nil
}

// copyStrategy returns the faster way to copy a template. Copying its files
// needs two checkpoints, which are cheap only if nothing is flushed to disk.
func copyStrategy(ctx context.Context, admin *pgxpool.Pool) (strategy string, err error) {
	err = admin.QueryRow(ctx, `select case current_setting('fsync')
		when 'off' then 'file_copy' else 'wal_log' end`).Scan(&strategy)
	return strategy, err
}

// Close disconnects. Databases that were not dropped stay.
func (d *Databases) Close() {
	d.admin.Close()
}

// Version returns the server's version, such as "17.10".
func (d *Databases) Version(ctx context.Context) (string, error) {
	var version string
	err := d.admin.QueryRow(ctx, `select current_setting('server_version')`).Scan(&version)
	number, _, _ := strings.Cut(version, " ") // Debian adds its own version
	return number, err
}

// CreateMigrated makes a copy of the template and returns the new database's name. It builds the template first if
// the server has no template yet.
func (d *Databases) CreateMigrated(ctx context.Context) (string, error) {
	template, err := d.ensureTemplate(ctx)
	if err != nil {
		return "", fmt.Errorf("build the template database: %w", err)
	}
	return d.Copy(ctx, template)
}

// CreateEmpty makes a database that has only the schema's extension, and returns its name.
func (d *Databases) CreateEmpty(ctx context.Context) (string, error) {
	name := newName()
	return name, d.createEmpty(ctx, name)
}

func (d *Databases) createEmpty(ctx context.Context, name string) error {
	if err := d.createNamed(ctx, name, "template0"); err != nil {
		return err
	}
	if err := d.extend(ctx, name); err != nil {
		return errors.Join(err, d.Drop(context.WithoutCancel(ctx), name))
	}
	return nil
}

// extend creates the schema's extension in a database.
func (d *Databases) extend(ctx context.Context, name string) error {
	if d.schema.Extension == "" {
		return nil
	}
	conn, err := pgx.Connect(ctx, d.URL(name))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "create extension "+quote(d.schema.Extension))
	return errors.Join(err, conn.Close(ctx))
}

// Copy copies a database that has no connections, and returns the name of the copy.
func (d *Databases) Copy(ctx context.Context, template string) (string, error) {
	name := newName()
	return name, d.createNamed(ctx, name, template)
}

func newName() string { return "pgtest_" + strings.ToLower(rand.Text()) }

func (d *Databases) createNamed(ctx context.Context, name, template string) error {
	_, err := d.admin.Exec(ctx, fmt.Sprintf(`create database %s template %s encoding 'UTF8' strategy %s`,
		quote(name), quote(template), d.copied))
	return err
}

// Drop removes the database and disconnects sessions that still use it.
func (d *Databases) Drop(ctx context.Context, name string) error {
	_, err := d.admin.Exec(ctx, fmt.Sprintf(`drop database if exists %s with (force)`, quote(name)))
	return err
}

// URL returns the address of the database.
func (d *Databases) URL(name string) string {
	database := *d.server
	database.Path = "/" + name
	return database.String()
}

func quote(name string) string {
	return pgx.Identifier{name}.Sanitize()
}
