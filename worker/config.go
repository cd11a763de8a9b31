package worker

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/messaging"
)

// Config configures a worker. Its zero value works.
type Config struct {
	// Name identifies the process in lists of workers. Default: host:pid. A second worker of the same process has the name host:pid#2.
	Name string
	// Version is the version of the program. Incidents list failures by version, and so show whether a new version fails more often.
	// Default: the version that the go command has stored in the program, otherwise the revision, otherwise no version.
	Version string
	// Namespaces are the namespaces whose steps the worker claims. Default: all namespaces in which the role may work.
	Namespaces []string
	// Concurrency is how many handlers run at the same time in total. Default: 100.
	Concurrency int
	// Exchanges is how many exchanges may run at the same time. An exchange is a call that records results and claims steps. It takes a
	// connection of the pool while it runs, and keeps the connection 50 ms longer if the pool has other connections. The database lists a
	// separate worker for each exchange that may run. Default: 2, or 1 if Concurrency is 1.
	Exchanges int
	// Lease is how long claimed steps belong to the worker without a renewal, in whole seconds. The worker renews a lease four times in
	// this period. After a crash other workers take over the steps when their leases have ended. Default: 60 s.
	Lease time.Duration
	// PollInterval is how long an idle worker waits before it polls. Notifications and the known times of due work wake it earlier.
	// Default: 5 s, with PollOnly 1 s.
	PollInterval time.Duration
	// PollOnly makes the worker poll without LISTEN, for poolers in transaction mode. Default: false.
	PollOnly bool
	// StopTimeout is how long running handlers may continue when the worker is stopped, before their contexts are cancelled. With a value
	// below 0 the contexts are cancelled at once. Default: 30 s.
	StopTimeout time.Duration
	// Elsewhere are the names of handlers that other programs or people serve, such as approvals. Require does not report these handlers as
	// missing, and no warning names them. Default: none.
	Elsewhere []string
	// NoMaintenance leaves the database's periodic duties to other workers, orchestrators or pg_cron. The duties are partitions for the
	// future, rollups, statistics, schedules, and timers of namespaces from which no worker claims. Default: false, so that workers take
	// turns at these duties. A worker never runs duties that delete data or give up work. Such duties need an orchestrator or pg_cron.
	NoMaintenance bool
	// Broker opens the queues that deliver the steps of namespaces with the transport "broker" (docs/howto/rabbitmq.md). Run closes the
	// queues. Default: no queues. With Broker, the worker claims from these namespaces only steps that name a limit.
	Broker messaging.Open
	// Codec encrypts and decrypts the payloads of tasks whose template asks for encryption. Handlers and middleware see the decrypted
	// payloads. Without a codec a step of such a task fails for good, with the id of the key in its error. Default: no codec.
	Codec codec.Codec
	// Connect opens the connection for LISTEN. With a pooler in front of the database it must connect past the pooler. Default: a
	// connection with the pool's configuration.
	Connect executor.Connect
	// Logger logs events and errors that no call returns. Default: slog.Default().
	Logger *slog.Logger

	owesMost int // maxOwed; tests have less
}

const (
	defaultConcurrency = 100
	defaultExchanges   = 2
	defaultLease       = 60 * time.Second
	defaultPoll        = 5 * time.Second
	defaultPollOnly    = time.Second
	defaultStopTimeout = 30 * time.Second

	// maxBatch is how many steps the database hands out in one call.
	maxBatch = 1000
	maxLease = 24 * time.Hour
)

func (c Config) withDefaults(pool *pgxpool.Pool) Config {
	if c.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		c.Name = fmt.Sprintf("%s:%d", host, os.Getpid())
	}
	if c.Version == "" {
		c.Version = buildVersion()
	}
	if c.owesMost == 0 {
		c.owesMost = maxOwed
	}
	if c.Concurrency == 0 {
		c.Concurrency = defaultConcurrency
	}
	if c.Exchanges == 0 {
		c.Exchanges = min(defaultExchanges, c.Concurrency)
	}
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	if c.PollInterval == 0 {
		c.PollInterval = defaultPoll
		if c.PollOnly {
			c.PollInterval = defaultPollOnly
		}
	}
	if c.StopTimeout == 0 {
		c.StopTimeout = defaultStopTimeout
	}
	if c.Connect == nil {
		c.Connect = listen.ConnectLike(pool)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// buildVersion returns the version of the main module, or the revision that it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	version := info.Main.Version
	if version == "" || version == "(devel)" {
		version = ""
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return version[:min(len(version), 100)]
}

func (c Config) validate() error {
	switch {
	case len(c.Name) > 180:
		return errors.New("worker: Config.Name is longer than 180 bytes")
	case len(c.Version) > 100:
		return errors.New("worker: Config.Version is longer than 100 bytes")
	case c.Concurrency < 0:
		return errors.New("worker: Config.Concurrency is below 0")
	case c.Exchanges < 0 || c.Exchanges > c.Concurrency:
		return errors.New("worker: Config.Exchanges is not between 1 and Config.Concurrency")
	case c.Lease < time.Second || c.Lease > maxLease || c.Lease%time.Second != 0:
		return errors.New("worker: Config.Lease is not a whole number of seconds between 1 and 86400")
	case c.PollInterval < 0:
		return errors.New("worker: Config.PollInterval is below 0")
	}
	return nil
}
