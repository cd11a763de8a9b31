// Package signin is the interface between package serve and an identity provider. Package serve/oidc has a provider.
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"
)

// Provider is an identity provider, at which people sign in. Package serve/oidc has one for OpenID Connect.
type Provider interface {
	// Name is the provider's name for people.
	Name() string
	// Begin returns the address at which a browser signs in.
	Begin(ctx context.Context, in Attempt) (string, error)
	// Redeem returns the person that the provider's answer names. The browser brings the answer when the provider sends it
	// back.
	Redeem(ctx context.Context, in Attempt, answer url.Values) (Person, error)
	// Refresh reads the claims of a person again, with the tokens that Redeem or Refresh returned.
	Refresh(ctx context.Context, tokens []byte) (Person, error)
	// Bearers reports whether Verify accepts tokens at all.
	Bearers() bool
	// Verify returns the person of a token in the header Authorization.
	Verify(ctx context.Context, token string) (Person, error)
	// End returns the address at which a browser signs out, and from which it comes back. It is empty if the provider
	// has no such address.
	End(ctx context.Context, tokens []byte, back string) string
}

// Attempt is one attempt of a browser to sign in.
type Attempt struct {
	// State, Nonce and Verifier bind the provider's answer, its token and its code to the browser.
	State, Nonce, Verifier string
	// Redirect is where the provider sends the browser back to.
	Redirect string
	// Again makes the provider ask the person to sign in again, even if the person is signed in.
	Again bool
}

// Person is a person whom the provider knows.
type Person struct {
	// Claims is the object of all claims of the provider, including iss and sub.
	Claims json.RawMessage
	// SignedInAt is when the person last signed in at the provider. The time is zero if the provider does not say it, and then
	// counts as long ago.
	SignedInAt time.Time
	// ExpiresAt is the end of a token that Verify has accepted.
	ExpiresAt time.Time
	// Tokens are for Refresh and End. They are stored encrypted.
	Tokens []byte
	// Renewable reports whether Refresh may be called.
	Renewable bool
}

// Errors of a [Provider].
var (
	// ErrAway: the provider does not answer, or its answer is useless to the server. Sessions stay valid.
	ErrAway = errors.New("the identity provider does not answer")
	// ErrSignedOut: the provider no longer vouches for the person. The session ends.
	ErrSignedOut = errors.New("the identity provider has ended the sign-in")
	// ErrRefused: the answer or the token does not fit the request.
	ErrRefused = errors.New("the sign-in was refused")
)
