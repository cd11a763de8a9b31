package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Proxy describes the headers in which a proxy in front of the server names the people whom it has signed in. The server
// accepts the headers only together with the secret, or over a connection whose client certificate the server has verified.
type Proxy struct {
	// UserHeader is the header with the name of the person, such as X-Forwarded-User. It is required.
	UserHeader string
	// EmailHeader is the header with the person's verified e-mail address. Default: none.
	EmailHeader string
	// GroupsHeader is the header with the person's groups, separated by commas. Access maps find these groups in the claim
	// "groups". Default: none.
	GroupsHeader string
	// TimeHeader is the header with the time of the person's sign-in, in seconds since 1970 or in the form of RFC 3339.
	// Default: none. Without this header the proxy itself has to ask for another sign-in before actions that cannot be undone.
	TimeHeader string
	// SecretHeader is the header with the secret that proxy and server share. Default: Tasker-Proxy-Secret.
	SecretHeader string
	// Secret is the value of SecretHeader, of 32 characters or more. It may be empty if Certificate is set.
	Secret string
	// Certificate makes the server trust each connection whose client certificate the server's TLS configuration has verified.
	Certificate bool
}

// check returns the reason why a proxy with this configuration cannot be trusted.
func (p *Proxy) check() error {
	switch {
	case p.UserHeader == "":
		return errors.New("serve: the header that names the person is missing")
	case p.Secret == "" && !p.Certificate:
		return errors.New("serve: a proxy is trusted by a secret, or by a certificate")
	case p.Secret != "" && len(p.Secret) < 32:
		return errors.New("serve: the secret of a proxy has 32 characters or more")
	}
	return nil
}

// proxied is a person whom a proxy has signed in.
type proxied struct {
	claims     json.RawMessage
	signedInAt time.Time
	key        secret
}

// person returns the person that a request names, or nil if the request names no person. It refuses headers that name a person
// if another sender than the proxy sent them. It also refuses headers that look like an attempt to pass a person's name through
// the proxy.
func (p *Proxy) person(r *http.Request) (*proxied, *problemBody) {
	named := []string{p.UserHeader, p.EmailHeader, p.GroupsHeader, p.TimeHeader}
	given := map[string]string{}
	for header, values := range r.Header {
		// Some programs treat X_Forwarded_User as X-Forwarded-User, but a proxy may not remove it.
		plain := http.CanonicalHeaderKey(strings.ReplaceAll(header, "_", "-"))
		of := slices.IndexFunc(named, func(name string) bool { return name != "" && http.CanonicalHeaderKey(name) == plain })
		if of < 0 {
			continue
		}
		if header != plain || len(values) != 1 {
			return nil, refusedProxy("the request names its person more than once")
		}
		given[named[of]] = values[0]
	}
	if len(given) == 0 {
		return nil, nil
	}
	if !p.trusts(r) {
		return nil, refusedProxy("the request names a person, but did not come from the proxy that may")
	}
	if given[p.UserHeader] == "" {
		return nil, refusedProxy("the proxy does not name the person")
	}
	person := &proxied{}
	claims := map[string]any{"iss": "proxy", "sub": given[p.UserHeader]}
	if email := given[p.EmailHeader]; email != "" {
		claims["email"], claims["email_verified"] = email, true
	}
	if groups := given[p.GroupsHeader]; groups != "" {
		list := strings.Split(groups, ",")
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		claims["groups"] = list
	}
	if p.TimeHeader != "" {
		person.signedInAt = time.Unix(0, 0)
		if seconds, err := strconv.ParseInt(given[p.TimeHeader], 10, 40); err == nil && seconds > 0 {
			person.signedInAt = time.Unix(seconds, 0)
		} else if at, err := time.Parse(time.RFC3339, given[p.TimeHeader]); err == nil && at.Year() < 10000 {
			person.signedInAt = at
		}
	}
	var err error
	if person.claims, err = json.Marshal(claims); err != nil {
		return nil, refusedProxy("the headers of the proxy cannot be read")
	}
	person.key = sha256.Sum256(fmt.Appendf(nil, "proxied %s", person.claims))
	return person, nil
}

// trusts reports whether a request came from the proxy.
func (p *Proxy) trusts(r *http.Request) bool {
	if p.Certificate && r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		return true
	}
	name := p.SecretHeader
	if name == "" {
		name = "Tasker-Proxy-Secret"
	}
	values := r.Header.Values(name)
	if p.Secret == "" || len(values) != 1 {
		return false
	}
	// Hashes have one length, so that the comparison does not reveal the length of the secret.
	want, got := sha256.Sum256([]byte(p.Secret)), sha256.Sum256([]byte(values[0]))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// ambient returns a text that identifies a proxied person to the page.
func (p *proxied) ambient() string { return "proxied " + hex.EncodeToString(p.key[:]) }

func refusedProxy(detail string) *problemBody {
	return &problemBody{
		Status: http.StatusForbidden, Code: "TK403", Detail: detail,
		Hint: "Reach the server through the proxy, which sets these headers and removes those of clients; see docs/howto/sign-in.md.",
	}
}
