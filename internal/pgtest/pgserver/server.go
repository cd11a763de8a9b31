package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// The environment variables that choose a server.
const (
	EnvDatabaseURL = "PGTASKER_TEST_DATABASE_URL"
	EnvServer      = "PGTASKER_TEST_SERVER"
	EnvBin         = "PGTASKER_TEST_PGBIN"
	// EnvOriginal names the directory of the socket of a server of [StartOriginal], which has the template. To copy this server
	// takes a third of the time for a new cluster and a new template.
	EnvOriginal = "PGTASKER_TEST_ORIGINAL"
)

// settings trade durability for speed, and give room for partitioned tables in many sessions. Clusters and containers
// use the same settings.
var settings = []string{
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"max_wal_size=256MB", // the files are in memory
	"jit=off",            // compiling a plan takes longer than running it on a few rows
	"max_connections=200",
	"max_locks_per_transaction=256",
	"timezone=UTC",
	"log_timezone=UTC",
}

// Server is a running PostgreSQL server on which databases may be created.
type Server struct {
	// URL reaches the database "postgres" (or the one that
	// PGTASKER_TEST_DATABASE_URL names) as a superuser.
	URL string
	// Origin says in a few words where the server comes from.
	Origin string
	// Bin is the directory of the server's programs, empty when they are not
	// on this machine.
	Bin string

	cluster *cluster // of a private cluster
	stop    func() error
}

// crashSafe are settings under which no committed data is lost when all processes are killed.
var crashSafe = []string{"synchronous_commit=on", "full_page_writes=on"}

// ErrNoPrograms is the error of [StartCrashSafe] on a machine without the programs of a server. On such a machine
// tests may run on a given server, or on a server in Docker.
var ErrNoPrograms = errors.New("no programs of a PostgreSQL server on this machine")

// StartCrashSafe starts a private cluster, from the binaries on this machine, that [Server.Crash] can
// kill. The caller must call [Server.Stop].
func StartCrashSafe(ctx context.Context) (*Server, error) { return startSafe(ctx, "") }

// StartCrashSafeWith is [StartCrashSafe] with the programs in bin. If bin is empty, it uses the programs on this
// machine.
func StartCrashSafeWith(ctx context.Context, bin string) (*Server, error) {
	if bin == "" {
		return StartCrashSafe(ctx)
	}
	return startCluster(ctx, bin, crashSafe...)
}

// StartOriginal is [StartCrashSafe] for a server that processes with the variable [EnvOriginal] copy, many at once.
func StartOriginal(ctx context.Context) (*Server, error) {
	return startSafe(ctx, "", "max_wal_senders=100", "wal_keep_size=256MB")
}

// Original returns the value of [EnvOriginal] for copies of a server of [StartOriginal].
func (s *Server) Original() string { return s.cluster.dir.path }

// StartCopy is [StartCrashSafe] with the databases of the server that [EnvOriginal] names, if the variable is set.
func StartCopy(ctx context.Context) (*Server, error) {
	return startSafe(ctx, os.Getenv(EnvOriginal))
}

func startSafe(ctx context.Context, primary string, more ...string) (*Server, error) {
	bin, err := findBinaries(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPrograms, nothingFound(err))
	}
	return bringUp(ctx, &cluster{bin: bin, settings: slices.Concat(crashSafe, more), primary: primary})
}

// Crash kills every process of a server of [StartCrashSafe] with SIGKILL and starts it again, which
// recovers it. It returns when the server accepts connections.
func (s *Server) Crash(ctx context.Context) error {
	return s.cluster.crash(ctx)
}

// Restart ends a server of [StartCrashSafe] cleanly, after a checkpoint, and starts it again.
func (s *Server) Restart(ctx context.Context) error {
	return s.cluster.restart(ctx, syscall.SIGINT)
}

// RestartImmediately ends a server of [StartCrashSafe] as pg_ctl stop -m immediate does and starts it again,
// which recovers it.
func (s *Server) RestartImmediately(ctx context.Context) error {
	return s.cluster.restart(ctx, syscall.SIGQUIT)
}

// End ends a server of [StartCrashSafe] as pg_ctl stop -m immediate does, for good. [Server.Stop] must still be called.
func (s *Server) End() error {
	return s.cluster.server.Quit()
}

// StartStandby starts a hot standby that follows a server of [StartCrashSafe] by streaming. The caller must call
// [Server.Stop] of the standby before [Server.Stop] of the server that it follows.
func (s *Server) StartStandby(ctx context.Context) (*Server, error) {
	return bringUp(ctx, &cluster{bin: s.Bin, settings: s.cluster.settings, primary: s.cluster.dir.path, follows: true})
}

// Start finds or starts a server. The package comment has the order. The
// caller must call [Server.Stop]. ctx bounds the start, not the server's life.
func Start(ctx context.Context) (*Server, error) {
	if url := os.Getenv(EnvDatabaseURL); url != "" {
		if !strings.HasPrefix(url, "postgres://") && !strings.HasPrefix(url, "postgresql://") {
			return nil, fmt.Errorf("%s must be a URL that begins with postgres://", EnvDatabaseURL)
		}
		return &Server{URL: url, Origin: EnvDatabaseURL, stop: func() error { return nil }}, nil
	}

	switch kind := os.Getenv(EnvServer); kind {
	case "binaries":
		bin, err := findBinaries(ctx)
		if err != nil {
			return nil, nothingFound(err)
		}
		return startCluster(ctx, bin)
	case "docker":
		return startContainer(ctx)
	case "":
		bin, err := findBinaries(ctx)
		if err == nil {
			return startCluster(ctx, bin)
		}
		if noDocker := findDocker(); noDocker != nil {
			return nil, nothingFound(err, noDocker)
		}
		return startContainer(ctx)
	default:
		return nil, fmt.Errorf("%s is %q; it must be binaries, docker or empty", EnvServer, kind)
	}
}

// Stop ends the server if [Start] started it, and removes its files. It
// must be called once.
func (s *Server) Stop() error {
	return s.stop()
}

func nothingFound(looked ...error) error {
	return fmt.Errorf(`no PostgreSQL server to test against. Looked for:
  %s: not set
  %s
Do one of these:
  make setup    (it installs a server on Debian as root, and says what to install elsewhere)
  export %s=$(tools/servers.sh 17)
  export %s=postgres://user:password@host/postgres`,
		EnvDatabaseURL, strings.ReplaceAll(errors.Join(looked...).Error(), "\n", "\n  "), EnvBin, EnvDatabaseURL)
}
