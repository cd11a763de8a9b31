// Package faultproxy is a TCP proxy that makes faults in tests. It stands between a client and PostgreSQL, or between a client
// and a REST server.
//
//	p := faultproxy.New(t, "tcp", "127.0.0.1:5432") // or p := faultproxy.Postgres(t, pool)
//	… the client connects to p.Addr(), or uses p.Pool(t) …
//	p.Cut()            resets every connection
//	p.CutAfter(100)    resets each connection in the middle of an answer, after so many further bytes
//	p.HalfClose()      ends the answers of each connection, and leaves the other direction open
//	p.Forget()         swallows the bytes of the open connections for good, while new connections work
//	p.Silence(true)    swallows all bytes, also the bytes of new connections, until Silence(false)
//	p.Refuse(true)     closes new connections at once, until Refuse(false)
//	p.Delay(d)         holds back each piece for d
//	p.Throttle(n)      lets n bytes a second through in each direction of a connection
//	p.Heal()           ends Silence, Refuse, Delay and Throttle
//
// Swallowed bytes are lost. A connection that has lost bytes never works again.
package faultproxy

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy forwards connections to a target, and misbehaves on demand. Its methods may be called by any goroutine.
type Proxy struct {
	network, target string
	listener        net.Listener

	refuse, silence atomic.Bool
	delay           atomic.Int64 // nanoseconds
	rate            atomic.Int64 // bytes a second, any number if 0
	accepted        atomic.Int64
	swallowed       atomic.Int64

	mu     sync.Mutex
	pairs  map[*pair]struct{}
	closed bool
	served sync.WaitGroup
}

// New returns a proxy in front of a target, such as "tcp", "127.0.0.1:5432" or "unix", "/tmp/.s.PGSQL.5432". It ends with the test.
func New(t testing.TB, network, target string) *Proxy {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{network: network, target: target, listener: listener, pairs: map[*pair]struct{}{}}
	p.served.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Addr returns the address to connect to.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Accepted returns how many connections were attempted.
func (p *Proxy) Accepted() int { return int(p.accepted.Load()) }

// Swallowed returns the number of swallowed pieces. A test reads from it that a call hangs.
func (p *Proxy) Swallowed() int { return int(p.swallowed.Load()) }

// Open returns how many connections are open.
func (p *Proxy) Open() int { return p.each(func(*pair) {}) }

// Cut resets every connection.
func (p *Proxy) Cut() int { return p.each((*pair).reset) }

// CutAfter resets each connection after n further bytes of answers.
func (p *Proxy) CutAfter(n int64) int { return p.each(func(c *pair) { c.cutAfter.Store(n) }) }

// HalfClose ends the answers of each connection.
func (p *Proxy) HalfClose() int {
	return p.each(func(c *pair) {
		if client, ok := c.client.(*net.TCPConn); ok {
			_ = client.CloseWrite()
		}
	})
}

// Forget swallows the bytes of the open connections, like a firewall that has lost its state.
func (p *Proxy) Forget() int { return p.each(func(c *pair) { c.lost.Store(true) }) }

// Silence swallows all bytes while it is on.
func (p *Proxy) Silence(on bool) {
	if on {
		p.each(func(c *pair) { c.lost.Store(true) })
	}
	p.silence.Store(on)
}

// Refuse closes new connections while it is on.
func (p *Proxy) Refuse(on bool) { p.refuse.Store(on) }

// Delay holds back each piece for d. A delay of 0 ends the fault.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Throttle lets this number of bytes a second through. The number 0 ends the fault.
func (p *Proxy) Throttle(bytes int) { p.rate.Store(int64(bytes)) }

// Heal ends every fault that lasts.
func (p *Proxy) Heal() {
	p.Silence(false)
	p.Refuse(false)
	p.Delay(0)
	p.Throttle(0)
}

func (p *Proxy) each(do func(*pair)) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.pairs {
		do(c)
	}
	return len(p.pairs)
}

func (p *Proxy) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.each((*pair).reset)
	p.served.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.accepted.Add(1)
		p.served.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	if p.refuse.Load() {
		reset(client)
		return
	}
	server, err := new(net.Dialer).DialContext(context.Background(), p.network, p.target)
	if err != nil {
		reset(client)
		return
	}
	c := &pair{proxy: p, client: client, server: server}
	c.lost.Store(p.silence.Load())
	p.mu.Lock()
	p.pairs[c] = struct{}{}
	if p.closed {
		c.reset()
	}
	p.mu.Unlock()
	var copying sync.WaitGroup
	copying.Go(func() { c.copy(server, client, false) })
	copying.Go(func() { c.copy(client, server, true) })
	copying.Wait()
	c.reset()
	p.mu.Lock()
	delete(p.pairs, c)
	p.mu.Unlock()
}

// pair is a connection of a client with its connection to the target.
type pair struct {
	proxy          *Proxy
	client, server net.Conn
	lost           atomic.Bool // bytes have been swallowed, and further bytes are, too
	cutAfter       atomic.Int64
}

func (c *pair) reset() { reset(c.client); reset(c.server) }

// reset closes a connection so that its other end reads an error.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// copy forwards one direction until it ends.
func (c *pair) copy(to, from net.Conn, answers bool) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && c.lost.Load() {
			c.proxy.swallowed.Add(1)
		}
		if n > 0 && !c.lost.Load() {
			time.Sleep(c.holdBack(n))
		}
		if n > 0 && !c.lost.Load() {
			if cut := c.cutAfter.Load(); answers && cut > 0 {
				if int64(n) >= cut {
					_, _ = to.Write(buffer[:cut])
					c.reset()
					return
				}
				c.cutAfter.Add(-int64(n))
			}
			if _, failed := to.Write(buffer[:n]); failed != nil && err == nil && !answers {
				err = failed
			}
		}
		if err == nil {
			continue
		}
		if c.lost.Load() && answers {
			// The server has gone, or no longer waits. The client is not notified.
			return
		}
		c.reset()
		return
	}
}

// holdBack returns for how long a piece of n bytes waits.
func (c *pair) holdBack(n int) time.Duration {
	wait := time.Duration(c.proxy.delay.Load())
	if rate := c.proxy.rate.Load(); rate > 0 {
		wait += time.Duration(int64(n) * int64(time.Second) / rate)
	}
	return wait
}
