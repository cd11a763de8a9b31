package oidc_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

const (
	clientID = "tasker"
	audience = "https://api.corp.example"
)

// identity is a provider that is made by hand, so that it can lie.
type identity struct {
	url  string
	key  *rsa.PrivateKey
	http *httptest.Server
	// keyID names the key, which a provider changes with it; read counts how often the keys were read.
	keyID string
	read  int

	mutex sync.Mutex
	// sign makes the ID token of an answer; forge changes its claims first.
	sign  func(claims map[string]any) string
	forge func(claims map[string]any)
	// groups and verified are what it says of the person.
	groups   []string
	subject  string
	verified any
	// away is whether it answers nothing; dropped is whether refresh tokens are refused.
	away, dropped bool
	// codes are what it has handed out: each can be redeemed once.
	codes     map[string]url.Values
	refreshed int
	info      map[string]any
}

func newIdentity(t testing.TB) *identity {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	p := &identity{key: key, keyID: "k1", groups: []string{"staff"}, subject: "248", verified: true, codes: map[string]url.Values{}}
	p.sign = func(claims map[string]any) string { return signed(t, jose.RS256, p.key, p.keyID, claims) }
	p.http = httptest.NewServer(http.HandlerFunc(p.serve))
	p.url = p.http.URL
	t.Cleanup(p.http.Close)
	return p
}

// change changes what the provider does from now on.
func (p *identity) change(f func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	f()
}

func signed(t testing.TB, algorithm jose.SignatureAlgorithm, key any, id string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: id}}, (&jose.SignerOptions{}).WithType("JWT"))
	require.NoError(t, err)
	payload, err := json.Marshal(claims)
	require.NoError(t, err)
	object, err := signer.Sign(payload)
	require.NoError(t, err)
	text, err := object.CompactSerialize()
	require.NoError(t, err)
	return text
}

// publicPEM is the provider's public key as a file has it: what an attacker signs HS256 with.
func (p *identity) publicPEM(t testing.TB) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(p.key.Public())
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// unsigned is a token with alg none.
func unsigned(claims map[string]any) string {
	part := func(v any) string {
		text, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return part(map[string]any{"alg": "none", "typ": "JWT"}) + "." + part(claims) + "."
}

// claims are those of a valid token for an audience.
func (p *identity) claims(audience string) map[string]any {
	now := time.Now()
	return map[string]any{
		"iss": p.url, "sub": p.subject, "aud": audience, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "auth_time": now.Unix(),
		"email": "ann@corp.example", "email_verified": p.verified, "groups": p.groups,
	}
}

// grant is what the provider does when the person has agreed: it returns the address to which it sends the browser back.
func (p *identity) grant(t testing.TB, authorize string) string {
	t.Helper()
	asked, err := url.Parse(authorize)
	require.NoError(t, err)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	code := rand.Text()
	p.codes[code] = asked.Query()
	return asked.Query().Get("redirect_uri") + "?" + url.Values{"code": {code}, "state": {asked.Query().Get("state")}, "iss": {p.url}}.Encode()
}

func (p *identity) serve(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.away {
		http.Error(w, "away", http.StatusBadGateway)
		return
	}
	answer := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer(http.StatusOK, map[string]any{
			"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + "/token", "jwks_uri": p.url + "/keys",
			"userinfo_endpoint": p.url + "/me", "end_session_endpoint": p.url + "/end",
			"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	case "/keys":
		p.read++
		answer(http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: p.keyID, Algorithm: "RS256", Use: "sig"}}})
	case "/me":
		said := map[string]any{"sub": p.subject, "department": "sales"}
		maps.Copy(said, p.info)
		answer(http.StatusOK, said)
	case "/token":
		claims := p.claims(clientID)
		if r.FormValue("grant_type") == "refresh_token" {
			if p.dropped || r.FormValue("refresh_token") != "refresh" {
				answer(http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
				return
			}
			p.refreshed++
		} else {
			asked, found := p.codes[r.FormValue("code")]
			delete(p.codes, r.FormValue("code"))
			sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
			if !found || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || asked.Get("redirect_uri") != r.FormValue("redirect_uri") {
				answer(http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
				return
			}
			claims["nonce"] = asked.Get("nonce")
		}
		if p.forge != nil {
			p.forge(claims)
		}
		answer(http.StatusOK, map[string]any{
			"access_token": "access", "token_type": "Bearer", "expires_in": 300, "refresh_token": "refresh", "id_token": p.sign(claims),
		})
	default:
		http.NotFound(w, r)
	}
}
