package listen

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// pingWithin bounds the ping of a pool's connection that was idle.
	pingWithin = 5 * time.Second
	// A connection whose other end says nothing any more is closed after about half a minute.
	aliveIdle, aliveEvery, aliveProbes = 15 * time.Second, 5 * time.Second, 3
)

// KeepAlive sets what a pool needs to notice connections that died silently: keep-alives of the operating system, and a bound
// for the ping of idle connections. What the configuration sets itself it leaves alone, except for pgx's default dialer.
func KeepAlive(config *pgxpool.Config) {
	if config.PingTimeout == 0 {
		config.PingTimeout = pingWithin
	}
	dialer := &net.Dialer{
		Timeout:         config.ConnConfig.ConnectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: aliveIdle, Interval: aliveEvery, Count: aliveProbes},
	}
	config.ConnConfig.DialFunc = dialer.DialContext
}
