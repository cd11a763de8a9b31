package listen

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// pingWithin bounds the ping of a pool's connection that was idle.
	pingWithin = 5 * time.Second
	// madeWithin bounds the time that a pool takes to connect. pgx goes on connecting after the caller has given up, and the attempt
	// holds a place of the pool. By default it may take two minutes.
	madeWithin = 10 * time.Second
	// A connection whose other end has become silent is closed after about half a minute.
	aliveIdle, aliveEvery, aliveProbes = 15 * time.Second, 5 * time.Second, 3
)

// KeepAlive sets the options by which a pool notices connections that died silently or were never established:
// keep-alives of the operating system, and bounds for the ping of idle connections and for connecting. It keeps the
// configuration's own values, except for pgx's default dialer.
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
