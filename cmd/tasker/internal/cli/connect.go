package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	dblisten "github.com/pgtasker/pgtasker/internal/listen"
)

// executor returns a caller of the database's functions.
func (a *app) executor(ctx context.Context) (*executor.SqlFunctionExecutor, error) {
	pool, err := a.connect(ctx)
	if err != nil {
		return nil, err
	}
	db, err := a.decoding(pool)
	if err != nil {
		return nil, err
	}
	return executor.New(db), nil
}

// decoding returns a connection that encrypts and decrypts payloads if --key or TASKER_KEYS names a file of keys. In some
// commands --key has another meaning.
func (a *app) decoding(db executor.DBTX) (executor.DBTX, error) {
	name := cmp.Or(a.key, a.Getenv("TASKER_KEYS"))
	if name == "" {
		return db, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, &problem{Exit: exitUsage, Message: "the file of keys cannot be read", Detail: err.Error(), Hint: "--key, or TASKER_KEYS, names a file that only its owner may read."}
	}
	defer func() { _ = file.Close() }()
	keys, err := codec.ReadKeys(file)
	if err != nil {
		return nil, &problem{Exit: exitUsage, Message: "the file of keys is not one", Detail: err.Error(), Hint: "docs/howto/encrypted.md has its form."}
	}
	return executor.WithCodec(db, keys), nil
}

// connect returns the pool of the database. The pool connects when it is first used.
func (a *app) connect(ctx context.Context) (*pgxpool.Pool, error) {
	if a.pool != nil {
		return a.pool, nil
	}
	address := a.database
	if address == "" {
		address = a.Getenv("DATABASE_URL")
	}
	if address == "" && a.Getenv("PGHOST") == "" && a.Getenv("PGDATABASE") == "" && a.Getenv("PGSERVICE") == "" {
		return nil, &problem{
			Exit:    exitUsage,
			Message: "no database is named",
			Hint:    "Set DATABASE_URL, or pass --database postgres://user@host/db.",
		}
	}
	pool, err := a.open(ctx, address)
	if err != nil {
		return nil, err
	}
	a.pool = pool
	return pool, nil
}

// connectReads returns the pool of the standby that --reads or DATABASE_READ_URL names, or nil if neither is set.
func (a *app) connectReads(ctx context.Context, address string) (*pgxpool.Pool, error) {
	if address == "" {
		address = a.Getenv("DATABASE_READ_URL")
	}
	if address == "" || a.reads != nil {
		return a.reads, nil
	}
	pool, err := a.open(ctx, address)
	if err != nil {
		return nil, err
	}
	a.reads = pool
	return pool, nil
}

// open returns a pool for an address. The pool connects when it is first used.
func (a *app) open(ctx context.Context, address string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if problem := ofFiles(err); problem != nil {
		return nil, problem
	}
	if err != nil {
		return nil, &problem{
			Exit:    exitUsage,
			Message: "the database's address is not one that can be read",
			// The error is not shown, because it contains the password for some forms of an address.
			Detail: unreadable(address),
			Hint:   "It is of the form postgres://user@host:5432/db?sslmode=require.",
		}
	}
	config.MinConns = 0
	if _, set := config.ConnConfig.RuntimeParams["application_name"]; !set {
		config.ConnConfig.RuntimeParams["application_name"] = "tasker"
	}
	dblisten.KeepAlive(config)
	config.ConnConfig.DialFunc = a.sockets.dial(config.ConnConfig.DialFunc)
	return pgxpool.NewWithConfig(ctx, config)
}

// farewellWithin bounds how long a command waits at its end until its database sessions have ended.
const farewellWithin = 2 * time.Second

// sockets are the connections to databases, so that a command can end although some of them are dead.
type sockets struct {
	mutex sync.Mutex
	open  map[*socket]struct{}
	// closed says whether new connections are refused, for example a connection that would cancel a query on a dead connection.
	closed bool
}

// socket is a connection that removes itself from its sockets when it is closed.
type socket struct {
	net.Conn
	of *sockets
}

// Close closes the connection.
func (s *socket) Close() error {
	s.of.mutex.Lock()
	delete(s.of.open, s)
	s.of.mutex.Unlock()
	return s.Conn.Close()
}

func (s *sockets) dial(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		made := &socket{Conn: conn, of: s}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if s.closed {
			return nil, errors.Join(net.ErrClosed, conn.Close())
		}
		if s.open == nil {
			s.open = map[*socket]struct{}{}
		}
		s.open[made] = struct{}{}
		return made, nil
	}
}

func (s *sockets) close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
	for open := range s.open {
		_ = open.Conn.Close() // It may be dead.
	}
}

// ofFiles returns the problem of a file that an address names, such as a certificate. The error of a file does not contain the
// password.
func ofFiles(err error) *problem {
	var file *fs.PathError
	var parsing *pgconn.ParseConfigError
	p := &problem{
		Exit: exitUsage, Message: "a file of the database's address cannot be used",
		Hint: "See sslrootcert, sslcert, sslkey, service and passfile of the address, and PGSSLROOTCERT and the like.",
	}
	switch {
	case errors.As(err, &file):
		p.Detail = file.Error()
	case errors.As(err, &parsing) && errors.Unwrap(parsing) != nil &&
		(strings.Contains(err.Error(), "failed to configure TLS") || strings.Contains(err.Error(), "failed to read service")):
		p.Detail = errors.Unwrap(parsing).Error()
	default:
		return nil
	}
	return p
}

// unreadable describes the form of an address that cannot be parsed, without its contents.
func unreadable(address string) string {
	switch {
	case strings.HasPrefix(address, "postgres://"), strings.HasPrefix(address, "postgresql://"):
		return "It is an URL with a port, an option or a character that cannot be; percent-encode what is special in a password."
	case strings.Contains(address, "="):
		return "It is a list of key=value with a key or a value that cannot be."
	}
	return "It is neither an URL nor a list of key=value."
}
