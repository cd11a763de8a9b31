package oidc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pgtasker/pgtasker/internal/signin"
)

// Config names the provider that signs people in, and the client that this server is at the provider. Issuer and ClientID are required.
type Config struct {
	// Issuer is the address of the provider, exactly as in its tokens. Discovery begins there.
	Issuer string
	// ClientID is the server's name at the provider.
	ClientID string
	// ClientSecret is the secret of the client. Default: the server is a public client, which PKCE protects.
	ClientSecret string
	// Scopes are the requested scopes. Default: openid, profile, email and offline_access, which lets the server ask for groups again.
	Scopes []string
	// Audience is the required audience of programs' tokens in the header Authorization. Default: such tokens are refused.
	Audience string
	// Name is the name of the provider that people see. Default: the host of Issuer.
	Name string
	// Parameters are sent with each sign-in, such as access_type=offline, which Google requires. Default: none.
	Parameters map[string]string
	// Client makes the requests to the provider. Default: a client with a time-out of 10 seconds.
	Client *http.Client
}

// algorithms are the accepted algorithms of signatures. Algorithms with a shared key are left out: an attacker could use the provider's
// public key as the shared key.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// leeway is how far the provider's clock may be ahead of ours.
const leeway = 5 * time.Minute

// provider is an identity provider.
type provider struct {
	config Config
	mutex  sync.Mutex
	found  *discovered
}

// discovered is the outcome of discovery.
type discovered struct {
	*oidc.Provider
	endSession string
}

// New returns a provider. It makes no request yet.
func New(config Config) (signin.Provider, error) {
	issuer, err := url.Parse(config.Issuer)
	local := err == nil && (issuer.Hostname() == "localhost" || issuer.Hostname() == "127.0.0.1" || issuer.Hostname() == "::1")
	switch {
	case err != nil || issuer.Host == "" || (issuer.Scheme != "https" && (issuer.Scheme != "http" || !local)):
		return nil, fmt.Errorf("oidc: issuer %q is no address with https", config.Issuer)
	case config.ClientID == "":
		return nil, errors.New("oidc: the client id is missing")
	}
	config.Name = cmp.Or(config.Name, issuer.Hostname())
	if len(config.Scopes) == 0 {
		config.Scopes = []string{"profile", "email", oidc.ScopeOfflineAccess}
	}
	if !slices.Contains(config.Scopes, oidc.ScopeOpenID) {
		config.Scopes = append([]string{oidc.ScopeOpenID}, config.Scopes...)
	}
	if config.Client == nil {
		config.Client = &http.Client{Timeout: 10 * time.Second}
	}
	return &provider{config: config}, nil
}

// Name returns the provider's name for people.
func (p *provider) Name() string { return p.config.Name }

// Bearers reports whether tokens of programs are accepted.
func (p *provider) Bearers() bool { return p.config.Audience != "" }

// discover returns the outcome of discovery. The first call that the provider answers makes the discovery.
func (p *provider) discover(ctx context.Context) (*discovered, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	// Later reads of the keys use this context, too.
	found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.config.Client), p.config.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", signin.ErrAway, err)
	}
	var more struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := found.Claims(&more); err != nil {
		return nil, fmt.Errorf("%w: %w", signin.ErrAway, err)
	}
	p.found = &discovered{found, more.EndSession}
	return p.found, nil
}

func (p *provider) client(found *discovered, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, Endpoint: found.Endpoint(), Scopes: p.config.Scopes, RedirectURL: redirect,
	}
}

// Begin returns the address at which a browser signs in.
func (p *provider) Begin(ctx context.Context, in signin.Attempt) (string, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(in.Nonce), oauth2.S256ChallengeOption(in.Verifier)}
	for name, value := range p.config.Parameters {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	if in.Again {
		prompt := strings.TrimSpace("login " + p.config.Parameters["prompt"])
		options = append(options, oauth2.SetAuthURLParam("prompt", prompt), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return p.client(found, in.Redirect).AuthCodeURL(in.State, options...), nil
}

// Redeem returns the person of a sign-in whose browser comes back from the provider with this answer.
func (p *provider) Redeem(ctx context.Context, in signin.Attempt, answer url.Values) (signin.Person, error) {
	if code := answer.Get("error"); code != "" {
		return signin.Person{}, fmt.Errorf("%w: the provider answers %.60q", signin.ErrRefused, code)
	}
	// RFC 9207: refuse the answer of another provider.
	if issuer := answer.Get("iss"); issuer != "" && issuer != p.config.Issuer {
		return signin.Person{}, fmt.Errorf("%w: the answer is from another provider", signin.ErrRefused)
	}
	found, err := p.discover(ctx)
	if err != nil {
		return signin.Person{}, err
	}
	ctx = oidc.ClientContext(ctx, p.config.Client)
	given, err := p.client(found, in.Redirect).Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(in.Verifier))
	if err != nil {
		return signin.Person{}, judge(err, signin.ErrRefused)
	}
	person, err := p.read(ctx, found, given, tokens{}, in.Nonce)
	if err == nil && in.Again && person.SignedInAt.IsZero() {
		person.SignedInAt = time.Now() // The provider does not say when, but it was asked for a new sign-in.
	}
	return person, err
}

// tokens are for later requests to the provider. They are stored encrypted.
type tokens struct {
	Refresh string `json:"refresh,omitempty"`
	ID      string `json:"id,omitempty"`
	Subject string `json:"sub"`
}

// Refresh asks the provider again for the claims of a person.
func (p *provider) Refresh(ctx context.Context, sealed []byte) (signin.Person, error) {
	var kept tokens
	if err := json.Unmarshal(sealed, &kept); err != nil || kept.Refresh == "" {
		return signin.Person{}, fmt.Errorf("%w: there is no refresh token", signin.ErrSignedOut)
	}
	found, err := p.discover(ctx)
	if err != nil {
		return signin.Person{}, err
	}
	ctx = oidc.ClientContext(ctx, p.config.Client)
	given, err := p.client(found, "").TokenSource(ctx, &oauth2.Token{RefreshToken: kept.Refresh}).Token()
	if err != nil {
		return signin.Person{}, judge(err, signin.ErrSignedOut)
	}
	return p.read(ctx, found, given, kept, "")
}

// read returns the person that an answer of the token endpoint is about: from the ID token and the provider's further claims.
func (p *provider) read(ctx context.Context, found *discovered, given *oauth2.Token, kept tokens, nonce string) (person signin.Person, err error) {
	claims := map[string]json.RawMessage{}
	raw, _ := given.Extra("id_token").(string)
	switch {
	case raw != "":
		if person, claims, err = p.verify(ctx, found, raw, p.config.ClientID); err != nil {
			return person, err
		}
		var said string
		_ = json.Unmarshal(claims["nonce"], &said)
		if nonce != "" && said != nonce {
			return person, fmt.Errorf("%w: the ID token is for another sign-in", signin.ErrRefused)
		}
	case kept.Subject == "":
		return person, fmt.Errorf("%w: there is no ID token", signin.ErrRefused)
	case found.UserInfoEndpoint() == "":
		return person, fmt.Errorf("%w: the provider says nothing of the person", signin.ErrSignedOut)
	default:
		claims["iss"], _ = json.Marshal(p.config.Issuer)
		claims["sub"], _ = json.Marshal(kept.Subject)
	}
	var subject string
	_ = json.Unmarshal(claims["sub"], &subject)
	if kept.Subject != "" && subject != kept.Subject {
		return person, fmt.Errorf("%w: the ID token is another person's", signin.ErrSignedOut)
	}
	if found.UserInfoEndpoint() != "" {
		more, err := p.userInfo(ctx, found, given, subject)
		if err != nil {
			return person, err
		}
		maps.DeleteFunc(more, func(name string, _ json.RawMessage) bool { _, has := claims[name]; return has })
		maps.Copy(claims, more)
	}
	if person.Claims, err = json.Marshal(claims); err != nil {
		return person, err
	}
	next := tokens{Refresh: given.RefreshToken, ID: cmp.Or(raw, kept.ID), Subject: subject}
	person.Renewable = next.Refresh != ""
	person.Tokens, err = json.Marshal(next)
	return person, err
}

// userInfo returns the provider's claims of a person beside the ID token.
func (p *provider) userInfo(ctx context.Context, found *discovered, given *oauth2.Token, subject string) (map[string]json.RawMessage, error) {
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(given))
	if err != nil {
		if message := err.Error(); strings.HasPrefix(message, "401") || strings.HasPrefix(message, "403") {
			return nil, fmt.Errorf("%w: %w", signin.ErrSignedOut, err)
		}
		return nil, fmt.Errorf("%w: %w", signin.ErrAway, err)
	}
	if info.Subject != subject {
		return nil, fmt.Errorf("%w: the claims are another person's", signin.ErrRefused)
	}
	more := map[string]json.RawMessage{}
	err = info.Claims(&more)
	return more, err
}

// verify returns the person of a token that the provider has signed for an audience.
func (p *provider) verify(ctx context.Context, found *discovered, raw, audience string) (signin.Person, map[string]json.RawMessage, error) {
	refused := func(why string, err error) (signin.Person, map[string]json.RawMessage, error) {
		return signin.Person{}, nil, fmt.Errorf("%w: %s: %w", signin.ErrRefused, why, err)
	}
	token, err := found.Verifier(&oidc.Config{ClientID: audience, SupportedSigningAlgs: algorithms}).Verify(ctx, raw)
	if err != nil {
		if strings.Contains(err.Error(), "fetching keys") {
			return signin.Person{}, nil, fmt.Errorf("%w: %w", signin.ErrAway, err)
		}
		return refused("the token is not valid", err)
	}
	claims := map[string]json.RawMessage{}
	var more struct {
		AuthTime        float64 `json:"auth_time"`
		AuthorizedParty string  `json:"azp"`
	}
	if err := errors.Join(token.Claims(&claims), token.Claims(&more)); err != nil {
		return refused("the claims cannot be read", err)
	}
	switch _, event := claims["events"]; {
	case event:
		return refused("the token", errors.New("is none of a person"))
	case token.IssuedAt.After(time.Now().Add(leeway)):
		return refused("the token", errors.New("is from the future"))
	case audience == p.config.ClientID && len(token.Audience) > 1 && more.AuthorizedParty != audience:
		return refused("the token", errors.New("was issued to another client"))
	}
	// Google's ID tokens have had two names of the issuer.
	claims["iss"], _ = json.Marshal(p.config.Issuer)
	person := signin.Person{ExpiresAt: token.Expiry}
	if more.AuthTime > 0 {
		person.SignedInAt = time.Unix(int64(more.AuthTime), 0)
	}
	return person, claims, nil
}

// Verify returns the person, or the program, of a token in the header Authorization.
func (p *provider) Verify(ctx context.Context, raw string) (signin.Person, error) {
	if !p.Bearers() {
		return signin.Person{}, fmt.Errorf("%w: tokens of the provider are not accepted here", signin.ErrRefused)
	}
	found, err := p.discover(ctx)
	if err != nil {
		return signin.Person{}, err
	}
	person, claims, err := p.verify(oidc.ClientContext(ctx, p.config.Client), found, raw, p.config.Audience)
	if err != nil {
		return person, err
	}
	person.Claims, err = json.Marshal(claims)
	return person, err
}

// End returns the address at which a browser signs out at the provider and is sent back. It is empty if the provider has no such address.
func (p *provider) End(ctx context.Context, sealed []byte, back string) string {
	found, err := p.discover(ctx)
	if err != nil || found.endSession == "" {
		return ""
	}
	end, err := url.Parse(found.endSession)
	if err != nil {
		return ""
	}
	var kept tokens
	_ = json.Unmarshal(sealed, &kept) // Without an ID token the provider asks the person.
	query := end.Query()
	query.Set("client_id", p.config.ClientID)
	query.Set("post_logout_redirect_uri", back)
	if kept.ID != "" {
		query.Set("id_token_hint", kept.ID)
	}
	end.RawQuery = query.Encode()
	return end.String()
}

// judge distinguishes a refusal of the provider from a provider that is away.
func judge(err, refused error) error {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.ErrorCode == "invalid_grant" {
		return fmt.Errorf("%w: %w", refused, err)
	}
	return fmt.Errorf("%w: %w", signin.ErrAway, err)
}
