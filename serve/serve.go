package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/signin"
	"github.com/pgtasker/pgtasker/internal/ui"
)

// Config configures a server. Its zero value works.
type Config struct {
	// Reads is a pool for requests that only read. Usually it connects to a standby of the same database, with the same login.
	// The server's main pool answers requests that Reads cannot answer, and requests with the header Tasker-Read: primary.
	// Default: nil.
	Reads *pgxpool.Pool
	// ReadOnly refuses writes: every transaction is read-only. Default: false.
	ReadOnly bool
	// NoMaintenance leaves the periodic duties to workers in Go, orchestrators and other servers. The duties are new
	// partitions, rollups, statistics and schedules. Default: false.
	NoMaintenance bool
	// Loopback says that only this machine can reach the server. The login may then be a superuser. Default: false.
	Loopback bool
	// MaxBody is the largest size of a request's body, in bytes. Default: 4 MiB.
	MaxBody int64
	// Timeout is how long one request may use the database. Default: 30 seconds.
	Timeout time.Duration
	// MaxPerToken is how many connections of a pool one token may use at the same time. Further requests of the token wait. Default: three
	// quarters of the pool's connections.
	MaxPerToken int
	// MaxWait is the longest time that one request may wait for a task or for steps. Default: 60 seconds.
	MaxWait time.Duration
	// MaxWaiting is how many requests may wait for tasks at the same time. Default: 1000.
	MaxWaiting int
	// MaxPolling is how many exchanges of workers may wait for steps at the same time. Default: 10000.
	MaxPolling int
	// Connect opens the connection for LISTEN, for example a connection that goes around a pooler. The server opens this
	// connection when the first exchange waits. Default: a connection with the pool's configuration.
	Connect executor.Connect
	// Provider lets people sign in at an identity provider. Package serve/oidc has such providers. Tokens can be used as well.
	// Default: nil.
	Provider signin.Provider
	// PublicURL is the address at which browsers reach the server, such as https://tasker.corp.example. The provider sends people back to
	// this address. PublicURL is required with Provider.
	PublicURL string
	// Proxy lets a proxy in front of the server name the people whom it has signed in. Default: nil.
	Proxy *Proxy
	// Metrics returns the handler for GET /metrics, which reads db with the token's rights. Default: the server has no such
	// page.
	Metrics func(db executor.DBTX) http.Handler
	// Logger gets a line for each request, without secrets. Default: slog.Default().
	Logger *slog.Logger
	// ClientAddress returns a client's address. The server counts unknown tokens by this address and writes the address to the
	// log. [Forwarded] makes such a function. Default: the address of the connection.
	ClientAddress func(r *http.Request) string
}

func (c Config) withDefaults() Config {
	if c.MaxBody <= 0 {
		c.MaxBody = 4 << 20
	}
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	if c.MaxWait <= 0 {
		c.MaxWait = time.Minute
	}
	if c.MaxWaiting <= 0 {
		c.MaxWaiting = 1000
	}
	if c.MaxPolling <= 0 {
		c.MaxPolling = 10000
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.ClientAddress == nil {
		c.ClientAddress = connectionAddress
	}
	return c
}

// check returns the reason why people could not sign in with this configuration.
func (c Config) check() error {
	if c.Proxy != nil {
		if err := c.Proxy.check(); err != nil {
			return err
		}
	}
	if c.Provider == nil {
		return nil
	}
	public, err := url.Parse(c.PublicURL)
	if err != nil || public.Host == "" || (public.Scheme != "https" && public.Scheme != "http") || (public.Path != "" && public.Path != "/") || public.RawQuery != "" {
		return fmt.Errorf("serve: the public URL %q is not the address of a server, such as https://tasker.corp.example", c.PublicURL)
	}
	return nil
}

// Server is the HTTP handler of the REST interface. It keeps little state of its own. When the first exchange waits, the server
// opens a connection that listens, and keeps this connection until Close.
type Server struct {
	config   Config
	pool     *pgxpool.Pool
	mux      *http.ServeMux
	attempts *attempts
	lookups  chan struct{} // bounds the look-ups of tokens for addresses that have sent too many unknown tokens
	ready    readiness
	waiting  chan struct{}
	polls    *polls
	duties   *duties
	lag      lag
	shares   map[*pgxpool.Pool]*shares
	ui       *ui.UI
	origin   *http.CrossOriginProtection
	// creations lets requests that create tasks share transactions. emissions does the same for requests that emit events.
	creations *travelling[creation, createdTask]
	emissions *travelling[event, gen.EmittedEvent]
}

// New returns a handler that answers from the database of pool. It first checks the pool's login, and refuses a login that has
// more rights than the server needs. With Config.Loopback it accepts a superuser and logs a warning.
func New(ctx context.Context, pool *pgxpool.Pool, config Config) (*Server, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, &ConfigError{err}
	}
	if config.Connect == nil {
		config.Connect = listen.ConnectLike(pool)
	}
	s := &Server{
		config:   config,
		pool:     pool,
		mux:      http.NewServeMux(),
		attempts: newAttempts(),
		lookups:  make(chan struct{}, max(1, pool.Config().MaxConns/4)),
		duties:   newDuties(),
		waiting:  make(chan struct{}, config.MaxWaiting),
		origin:   http.NewCrossOriginProtection(),
	}
	s.polls = newPolls(pool, &s.config)
	s.creations, s.emissions = s.creationCalls(), s.emissionCalls()
	s.shares = map[*pgxpool.Pool]*shares{}
	for _, p := range []*pgxpool.Pool{pool, config.Reads} {
		if p == nil {
			continue
		}
		size := config.MaxPerToken
		if size <= 0 {
			size = max(1, int(p.Config().MaxConns)*3/4)
		}
		s.shares[p] = newShares(size)
	}
	findings, err := s.checkLogin(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		switch {
		case f.Status == "ok":
		case f.Status == "warn", f.Name == "login" && config.Loopback:
			config.Logger.WarnContext(ctx, f.Message, "hint", text(f.Hint))
		default:
			return nil, &LoginError{Finding: f}
		}
	}
	s.route()
	return s, nil
}

// ConfigError says why people could not sign in with this configuration.
type ConfigError struct{ err error }

func (e *ConfigError) Error() string { return e.err.Error() }

// Unwrap returns the error that ConfigError wraps.
func (e *ConfigError) Unwrap() error { return e.err }

// LoginError says why the login of the pool does not suit a server.
type LoginError struct{ Finding gen.InstallationFinding }

// Error returns the problem and the remedy.
func (e *LoginError) Error() string {
	return fmt.Sprintf("%s | %s", e.Finding.Message, text(e.Finding.Hint))
}

// route registers the operations and the other pages.
func (s *Server) route() {
	for i := range operations {
		s.mux.Handle(operations[i].method+" "+operations[i].path, s.operation(&operations[i]))
	}
	s.mux.HandleFunc("GET /healthz", healthz)
	s.mux.HandleFunc("GET /readyz", s.readyz)
	s.mux.Handle("GET /v1/openapi.json", s.withToken(http.HandlerFunc(openapi)))
	s.mux.Handle("GET /v1/docs", s.withToken(http.HandlerFunc(documentation)))
	if s.config.Metrics != nil {
		s.mux.Handle("GET /metrics", s.metrics())
	}
	s.mountUI()
	s.mux.HandleFunc(elsewhere, s.unrouted)
}

// elsewhere is the pattern for all paths that have neither a page nor an operation.
const elsewhere = "/"

// unrouted answers requests for an unknown path or method.
func (s *Server) unrouted(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		probe := r.Clone(r.Context())
		probe.Method = method
		if _, pattern := s.mux.Handler(probe); pattern != elsewhere {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		notFound(w, r)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	writeProblem(w, r, &problemBody{
		Status: http.StatusMethodNotAllowed, Detail: "there is no such method here", Hint: "Allowed: " + strings.Join(allowed, ", ") + ".",
	})
}

// ServeHTTP answers a request and logs it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.logged(w, r, func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		if !clean(r.URL.Path) && r.URL.Path != ui.Root+"/" {
			notFound(w, r)
			return
		}
		s.mux.ServeHTTP(w, r)
	})
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
