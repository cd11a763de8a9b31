package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// special are networks that a webhook has no business in, beside the networks that netip knows: loopback, private, link-local,
// multicast.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),   // carriers
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast
	netip.MustParsePrefix("::/96"),           // IPv4 in old form
	netip.MustParsePrefix("64:ff9b::/96"),    // IPv4 behind NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"),      // discard
	netip.MustParsePrefix("2001::/23"),     // Teredo and other protocols
	netip.MustParsePrefix("2001:db8::/32"), // documentation
	netip.MustParsePrefix("2002::/16"),     // 6to4
	netip.MustParsePrefix("fec0::/10"),     // old site-local
}

// notPublicError is the refusal of an address, which a name server of this network may have told.
type notPublicError struct{ address netip.Addr }

func (e notPublicError) Error() string {
	return fmt.Sprintf("address %s is not public, and not allowed", e.address)
}

// told is an error without the addresses of this network: subscriptions keep it, and not only operators read those. The log
// has all of it.
func told(err error) string {
	if errors.As(err, new(notPublicError)) {
		return "the address of the host is not public, and not allowed"
	}
	if name := new(net.DNSError); errors.As(err, &name) {
		if name.IsNotFound {
			return "the name of the host does not resolve: there is no such host"
		}
		return "the name of the host does not resolve: no name server answers"
	}
	for operation := new(net.OpError); errors.As(err, &operation); {
		err = operation.Err
	}
	return shorten(err.Error())
}

// public says whether an address belongs to the public internet.
func public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsValid() || !address.IsGlobalUnicast() || address.IsPrivate() {
		return false
	}
	for _, prefix := range special {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}

// dial connects to an address only if it is public or allowed. The check is made when the name has been resolved and
// before the first packet, so a name that resolves to another address the second time gains nothing.
func dial(allow []netip.Prefix, resolver *net.Resolver) func(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{
		Timeout: 5 * time.Second, Resolver: resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			if public(at.Addr()) {
				return nil
			}
			for _, prefix := range allow {
				if prefix.Contains(at.Addr().Unmap().WithZone("")) {
					return nil
				}
			}
			return notPublicError{at.Addr()}
		},
	}
	return dialer.DialContext
}
