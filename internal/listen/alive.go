package listen

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// pingWithin bounds the time that a pool waits for the ping of an idle connection.
	pingWithin = 5 * time.Second
	// madeWithin bounds the time that a pool takes to connect. pgx continues to connect after the caller has given up, and the
	// attempt occupies a place of the pool. By default an attempt may take two minutes.
	madeWithin = 10 * time.Second
	// A connection whose other end has become silent is closed after about half a minute.
	aliveIdle, aliveEvery, aliveProbes = 15 * time.Second, 5 * time.Second, 3
)

// KeepAlive sets options so that a pool notices connections that died silently or were never established: TCP keep-alives, a
// time-out for the ping of idle connections, and a time-out for connecting. It keeps values that the configuration has already,
// except pgx's default dialer.
func KeepAlive(config *pgxpool.Config) {
	if config.PingTimeout == 0 {
		config.PingTimeout = pingWithin
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = madeWithin
	}
	dialer := &net.Dialer{
		Timeout:         config.ConnConfig.ConnectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: aliveIdle, Interval: aliveEvery, Count: aliveProbes},
	}
	config.ConnConfig.DialFunc = dialer.DialContext
}
