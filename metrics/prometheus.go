package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pgtasker/pgtasker/executor"
)

// Config configures the reading of metrics. Its zero value works.
type Config struct {
	// Timeout is how long one reading may take. Default: 5 seconds.
	Timeout time.Duration
	// Logger logs failures to read the database. Default: slog.Default().
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Timeout <= 0 {
		c.Timeout = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// Collector shows a database to Prometheus: each scrape is one reading. If it cannot read the database, it shows only pgtasker_up 0, so
// that no old number looks like a new number.
type Collector struct {
	db           executor.DBTX
	config       Config
	up           *prometheus.Desc
	descriptions []*prometheus.Desc
}

// upName is the metric that is present even if the database cannot be read.
const (
	upName = "pgtasker_up"
	upHelp = "1 if the database could be read."
)

// NewCollector returns a collector that reads db, which can be registered with any registry.
func NewCollector(db executor.DBTX, config Config) *Collector {
	c := &Collector{
		db:     db,
		config: config.withDefaults(),
		up:     prometheus.NewDesc(upName, upHelp, nil, nil),
	}
	for _, f := range families {
		c.descriptions = append(c.descriptions, prometheus.NewDesc(f.name, f.help, f.labels, nil))
	}
	return c
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- c.up
	for _, d := range c.descriptions {
		descriptions <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *Collector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Timeout)
	defer cancel()
	r, err := read(ctx, c.db)
	metrics <- prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, truth(err == nil))
	if err != nil {
		c.config.Logger.Error("pgtasker: reading metrics failed", "error", err)
		return
	}
	for i, f := range families {
		kind := prometheus.GaugeValue
		if f.kind == counter {
			kind = prometheus.CounterValue
		}
		for _, s := range f.read(r) {
			metrics <- prometheus.MustNewConstMetric(c.descriptions[i], kind, s.value, s.labels...)
		}
	}
}

// Health returns a handler of /healthz: 200 while the database answers, otherwise 503. The reason is logged.
func Health(db executor.DBTX, config Config) http.Handler {
	config = config.withDefaults()
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		ctx, cancel := context.WithTimeout(request.Context(), config.Timeout)
		defer cancel()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if _, err := executor.New(db).Clock(ctx); err != nil {
			config.Logger.WarnContext(ctx, "pgtasker: the database does not answer", "error", err)
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = fmt.Fprintln(w, "the database does not answer") // the reason may name hosts and roles: it is in the log
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
}

// Handler returns a handler of /metrics for a database, in the formats that Prometheus reads.
func Handler(db executor.DBTX, config Config) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(NewCollector(db, config))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}
