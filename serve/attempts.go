package serve

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds: how many attempts without a valid token an address may make at once, how long the server takes to forget an attempt, and how many
// addresses and tokens it remembers at most.
const (
	burst      = 20
	forgiven   = 5 * time.Second
	remembered = 10_000
	trusted    = 10 * time.Minute
)

// attempts counts unknown tokens. A guess is hopeless, but costs a transaction. Clients that share the address with a guesser, behind a
// proxy, are not affected: see [Server.attempt].
type attempts struct {
	mutex sync.Mutex
	// failures has for each address the time at which its failed attempts are forgotten. Each failed attempt moves that time further.
	failures map[string]time.Time
	// accepted has for each token the time until which the server treats it as accepted.
	accepted map[secret]time.Time
}

func newAttempts() *attempts {
	return &attempts{failures: map[string]time.Time{}, accepted: map[secret]time.Time{}}
}

// may says whether a token may be used without a separate look-up.
func (a *attempts) may(address string, token secret, now time.Time) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.accepted[token].After(now) || a.failures[address].Before(now.Add(burst*forgiven))
}

func (a *attempts) failed(address string, token secret, now time.Time) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.accepted, token)
	forget(a.failures, now)
	until := a.failures[address]
	if until.Before(now) {
		until = now
	}
	a.failures[address] = until.Add(forgiven)
}

func (a *attempts) succeeded(token secret, now time.Time) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	forget(a.accepted, now)
	a.accepted[token] = now.Add(trusted)
}

// forget drops entries whose time is over if there are too many entries. If no entry is over, it drops any entry.
func forget[K comparable](times map[K]time.Time, now time.Time) {
	if len(times) < remembered {
		return
	}
	for key, until := range times {
		if until.Before(now) {
			delete(times, key)
		}
	}
	for key := range times {
		if len(times) < remembered {
			return
		}
		delete(times, key)
	}
}

// connectionAddress is the address that a request's connection comes from.
func connectionAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Forwarded returns a [Config.ClientAddress] for servers behind proxies: if the connection comes from a proxy, it returns the last address
// in a header such as X-Forwarded-For that is not the address of a proxy. Each proxy must append the address of its own client to the
// header, or set the header to that address.
func Forwarded(header string, proxies []netip.Prefix) func(r *http.Request) string {
	isProxy := func(address string) bool {
		ip, err := netip.ParseAddr(address)
		return err == nil && slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(ip.Unmap()) })
	}
	return func(r *http.Request) string {
		address := connectionAddress(r)
		hops := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
		for i := len(hops) - 1; i >= 0 && isProxy(address); i-- {
			hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
			if err != nil {
				break // A client may have invented the address, or it has a port.
			}
			address = hop.Unmap().String()
		}
		return address
	}
}
