package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/codec"
)

// NoRetries is the MaxRetries of tasks that run once.
const NoRetries = -1

// Config is the common configuration of a client's tasks. Its zero value works: if a field is zero here and in a task's [Options], the
// setting in the database applies. The defaults below are the defaults of the settings.
type Config struct {
	// MaxRetries after the first run, [NoRetries] for none. Default: 3, that is at most four runs.
	MaxRetries int
	// BaseRetryDelay before the first retry. Default: 5 s.
	BaseRetryDelay time.Duration
	// RetryBackoffMultiplier of each further retry's delay. Default: 2, for 5, 10, 20 s.
	RetryBackoffMultiplier float64
	// DefaultTaskTimeout of a run, whole seconds. Default: none.
	DefaultTaskTimeout time.Duration
	// Lease is how long a claimed task belongs to its worker without a renewal, in whole seconds. Default: 600 s.
	Lease time.Duration
	// WorkerID names this process as the holder of locks, in at most 200 characters. Default: host name, process id and random letters.
	WorkerID string

	// Validator checks arguments at submission and before they run. A *validator.Validate of github.com/go-playground/validator/v10 is a
	// Validator. Package tagvalidator of this project wraps it, with errors that have the JSON names of fields. Default: none. A type with
	// "validate" tags is then refused.
	Validator Validator
	// Codec encrypts the arguments of tasks whose [Options] ask for it. codec.NewKeys makes a codec. Default: none.
	Codec codec.Codec
	// Logger logs failures that no caller gets. Default: slog.Default().
	Logger *slog.Logger
}

// Client holds registered tasks. Several goroutines may use it. It starts no goroutine.
type Client struct {
	pool   *pgxpool.Pool
	config Config

	mu        sync.RWMutex
	tasks     map[string]*registered
	schedules []schedule
}

// registered is a task without its types.
type registered struct {
	name    string
	options Options
	run     func(ctx context.Context, kwargs json.RawMessage, lend lender) (json.RawMessage, error)
	keys    codec.Codec // for arguments, results and errors, nil if they are in the clear
	tx      bool        // the function has a transaction, which lend passes to it. Otherwise lend is nil
}

// NewClient returns a client whose workers use pool. The caller closes the pool.
func NewClient(pool *pgxpool.Pool, config Config) *Client {
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	return &Client{pool: pool, config: config, tasks: map[string]*registered{}}
}

// Functions returns the functions of schema tasklib on the client's pool, to read tasks, cancel and retry them, pause names, and so on.
func (c *Client) Functions() *Functions { return NewFunctions(c.pool) }

// Names returns the names of the registered tasks, sorted.
func (c *Client) Names() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	names := make([]string, 0, len(c.tasks))
	for name := range c.tasks {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Sync registers the client's tasks in the database, with their options and schedules, so that they can be submitted. A worker calls Sync
// when it starts. A process that only submits calls Sync once, or relies on the workers. Options that are not set keep their values in the
// database, so limits that operators have set survive.
func (c *Client) Sync(ctx context.Context) error {
	functions := c.Functions()
	for _, name := range c.Names() {
		options, err := c.task(name).options.encode(c.config)
		if err != nil {
			return fmt.Errorf("options of task %q: %w", name, err)
		}
		if _, err := functions.RegisterTask(ctx, name, options); err != nil {
			return err
		}
	}
	c.mu.RLock()
	schedules := slices.Clone(c.schedules)
	c.mu.RUnlock()
	for _, s := range schedules {
		if _, err := functions.ScheduleTask(ctx, s.params); err != nil {
			return fmt.Errorf("schedule %q: %w", s.params.Schedule, err)
		}
	}
	return nil
}

func (c *Client) task(name string) *registered {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.tasks[name]
}

// keysOf returns the keys of a task, nil if its payloads are not encrypted or its name is not registered.
func (c *Client) keysOf(name string) codec.Codec {
	if t := c.task(name); t != nil {
		return t.keys
	}
	return nil
}

func (c *Client) register(t *registered) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.name == "" {
		return errors.New("a task needs a name")
	}
	if _, taken := c.tasks[t.name]; taken {
		return fmt.Errorf("task %q is already registered", t.name)
	}
	c.tasks[t.name] = t
	return nil
}
