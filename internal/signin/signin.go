// Package signin is how package serve and an identity provider talk to each other. Package serve/oidc has a provider.
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
	// Name is what people call it.
	Name() string
	// Begin returns where a browser signs in.
	Begin(ctx context.Context, in Attempt) (string, error)
	// Redeem returns the person for whom the provider has sent a browser back with this answer.
	Redeem(ctx context.Context, in Attempt, answer url.Values) (Person, error)
	// Refresh asks again for the claims of a person, with the tokens that Redeem or Refresh returned.
	Refresh(ctx context.Context, tokens []byte) (Person, error)
	// Bearers reports whether Verify accepts tokens at all.
	Bearers() bool
	// Verify returns the person of a token in the header Authorization.
	Verify(ctx context.Context, token string) (Person, error)
	// End returns where a browser signs out, and comes back from; empty if there is no such place.
	End(ctx context.Context, tokens []byte, back string) string
}

// Attempt is one attempt of a browser to sign in.
type Attempt struct {
	// State, Nonce and Verifier bind the provider's answer, its token and its code to the browser.
	State, Nonce, Verifier string
	// Redirect is where the provider sends the browser back to.
	Redirect string
	// Again asks the person to prove who they are, even if the provider knows them.
	Again bool
}

// Person is a person whom the provider knows.
type Person struct {
	// Claims is the object of all that the provider says; iss and sub are among it.
	Claims json.RawMessage
	// SignedInAt is when the person has proved who they are. Zero: the provider does not say, and it counts as long ago.
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
	// ErrAway: the provider does not answer, or not so that the server could use it. Sessions go on.
	ErrAway = errors.New("the identity provider does not answer")
	// ErrSignedOut: the provider no longer vouches for the person. The session ends.
	ErrSignedOut = errors.New("the identity provider has ended the sign-in")
	// ErrRefused: the answer, or the token, is not what was asked for.
	ErrRefused = errors.New("the sign-in was refused")
)
