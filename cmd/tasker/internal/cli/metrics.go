package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/metrics"
)

// How long the server of metrics waits for a request's header, for the end of scrapes when it stops, and for the database's
// answer to a ping.
const (
	headerWithin = 5 * time.Second
	stopWithin   = 5 * time.Second
	healthWithin = 2 * time.Second
)

// serveMetrics answers Prometheus at an address until stop is called. It reads the figures from reads, and pings pool.
func serveMetrics(ctx context.Context, address string, pool, reads *pgxpool.Pool, logger *slog.Logger) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &problem{
			Exit:    exitFailed,
			Message: "metrics cannot be served at " + quote(address),
			Detail:  err.Error(),
			Hint:    "--metrics takes HOST:PORT, such as 127.0.0.1:9187, where nothing else listens.",
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics.Handler(reads, metrics.Config{Logger: logger}))
	mux.Handle("GET /healthz", metrics.Health(pool, metrics.Config{Timeout: healthWithin, Logger: logger}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerWithin}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.ErrorContext(ctx, "metrics are not served any more", "error", err)
		}
	}()
	logger.InfoContext(ctx, "serving metrics", "address", listener.Addr().String())
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			logger.WarnContext(ctx, "a scrape was cut off", "error", errors.Join(err, server.Close()))
		}
		<-served
	}, nil
}
