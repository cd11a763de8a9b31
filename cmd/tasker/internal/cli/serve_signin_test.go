package cli

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const proxySecret = "0123456789abcdef0123456789abcdef"

// corp is an identity provider that tells what secret its client has sent.
type corp struct {
	*httptest.Server
	key     *rsa.PrivateKey
	secrets chan string
}

func newCorp(t *testing.T) *corp {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	c := &corp{key: key, secrets: make(chan string, 10)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]any{
				"issuer": c.URL, "authorization_endpoint": c.URL + "/authorize", "token_endpoint": c.URL + "/token", "jwks_uri": c.URL + "/keys",
				"id_token_signing_alg_values_supported": []string{"RS256"}, "token_endpoint_auth_methods_supported": []string{"client_secret_basic"},
			})
		case "/keys":
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": []map[string]any{{
				"kty": "RSA", "kid": "k1", "alg": "RS256", "use": "sig",
				"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
			}}})
		case "/token":
			if _, secret, ok := r.BasicAuth(); ok {
				c.secrets <- secret
			}
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error": "invalid_grant"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// token is one that the provider has issued for an audience.
func (c *corp) token(t *testing.T, audience string) string {
	t.Helper()
	part := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	signed := part(map[string]any{"alg": "RS256", "kid": "k1"}) + "." + part(map[string]any{
		"iss": c.URL, "sub": "bot", "aud": audience, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(), "groups": []string{"ops"},
	})
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, c.key, crypto.SHA256, sum[:])
	require.NoError(t, err)
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// answered is an answer to a request with headers, two by two. Redirects are not followed.
type answered struct {
	status  int
	body    string
	to      *url.URL
	cookies []*http.Cookie
}

func ask(t *testing.T, transport http.RoundTripper, address string, headers ...string) answered {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := (&http.Client{
		Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}).Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	to, err := url.Parse(response.Header.Get("Location"))
	require.NoError(t, err)
	return answered{response.StatusCode, string(body), to, response.Cookies()}
}

// Each flag of OpenID Connect does what its help says.
func TestServe_TakesTheFlagsOfAnIdentityProvider(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "access", "map", "groups=ops")
	provider := newCorp(t)
	secret := file(t, "secret", "from-a-file\n")
	needed := []string{"--oidc-issuer", provider.URL, "--oidc-client-id", "the-client", "--public-url", "https://tasker.corp.example/"}
	for name, c := range map[string]struct {
		args                               []string
		env                                map[string]string
		scope, called, secret, access, two string
		bearer                             int
	}{
		"defaults": {
			scope: "openid profile email offline_access", called: "127.0.0.1", secret: "from-the-environment", bearer: http.StatusUnauthorized,
			env: map[string]string{"TASKER_OIDC_CLIENT_SECRET": "from-the-environment"},
		},
		"all": {
			args: []string{
				"--oidc-client-secret-file", secret, "--oidc-scopes", "profile,groups", "--oidc-audience", "https://api", "--oidc-name", "Corp & Sons",
				"--oidc-parameter", "access_type=offline", "--oidc-parameter", "hint=a=b",
			},
			scope: "openid profile groups", called: "Corp &amp; Sons", secret: "from-a-file", access: "offline", two: "a=b", bearer: http.StatusOK,
			env: map[string]string{"TASKER_OIDC_CLIENT_SECRET": "from-the-environment"},
		},
	} {
		env := map[string]string{"DATABASE_URL": pgtest.URL(pool), "TASKER_OIDC_CLIENT_SECRET": c.env["TASKER_OIDC_CLIENT_SECRET"]}
		address, logged, stop := startServeWith(t, env, append(c.args, needed...)...)
		address = "http://" + address
		require.Contains(t, ask(t, nil, address+"/ui/login").body, "Sign in with "+c.called, name)
		begun := ask(t, nil, address+"/ui/sign-in")
		require.Equal(t, http.StatusSeeOther, begun.status, begun.body)
		require.Equal(t, provider.URL+"/authorize", begun.to.Scheme+"://"+begun.to.Host+begun.to.Path)
		query := begun.to.Query()
		for parameter, want := range map[string]string{
			"client_id": "the-client", "redirect_uri": "https://tasker.corp.example/ui/sign-in/callback", "scope": c.scope,
			"access_type": c.access, "hint": c.two, "response_type": "code", "code_challenge_method": "S256",
		} {
			require.Equal(t, want, query.Get(parameter), "%s: %s", name, parameter)
		}
		require.Len(t, begun.cookies, 1)
		require.True(t, strings.HasPrefix(begun.cookies[0].Name, "__Host-"), "browsers come by https, as --public-url says")
		refused := ask(t, nil, address+"/ui/sign-in/callback?code=x&state="+query.Get("state"), "Cookie", begun.cookies[0].Name+"="+begun.cookies[0].Value)
		require.Equal(t, http.StatusForbidden, refused.status, refused.body)
		require.Equal(t, c.secret, <-provider.secrets, name)
		require.Equal(t, c.bearer, ask(t, nil, address+"/v1/tasks", "Authorization", "Bearer "+provider.token(t, "https://api")).status, name)
		require.Equal(t, http.StatusUnauthorized, ask(t, nil, address+"/v1/tasks", "Authorization", "Bearer "+provider.token(t, "https://other")).status, name)
		require.Equal(t, exitDone, stop())
		require.NotContains(t, logged.String(), c.secret)
	}
}

// Each flag of a proxy that signs people in does what its help says.
func TestServe_TakesTheFlagsOfAProxy(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "access", "map", "groups=ops", "--role", "operator")
	must(t, pool, "access", "map", "sub=ann")
	task := createTask(t, pool, "shop/order")
	for name, c := range map[string]struct {
		args, env []string
		secret    string
	}{
		"environment": {env: []string{"TASKER_PROXY_SECRET", proxySecret}, secret: "Tasker-Proxy-Secret"},
		"file":        {args: []string{"--proxy-secret-file", file(t, "secret", proxySecret+"\n"), "--proxy-secret-header", "X-Secret"}, secret: "X-Secret"},
	} {
		env := map[string]string{"DATABASE_URL": pgtest.URL(pool)}
		for i := 0; i+1 < len(c.env); i += 2 {
			env[c.env[i]] = c.env[i+1]
		}
		address, _, stop := startServeWith(t, env, append(c.args, "--proxy-user-header", "X-User", "--proxy-email-header", "X-Mail",
			"--proxy-groups-header", "X-Groups", "--proxy-time-header", "X-Since")...)
		address = "http://" + address
		person := []string{c.secret, proxySecret, "X-User", "ann", "X-Mail", "ann@corp.example"}
		page := ask(t, nil, address+"/ui/tasks", person...)
		require.Equal(t, http.StatusOK, page.status, "%s: %s", name, page.body)
		require.Contains(t, page.body, "ann@corp.example (ann)")
		require.Contains(t, page.body, "tasker reader", "without groups the map of the subject counts")
		many := address + "/ui/selection?action=cancel&task=" + task
		for since, want := range map[string]int{
			"": http.StatusPreconditionRequired, fmt.Sprint(time.Now().Add(-time.Hour).Unix()): http.StatusPreconditionRequired,
			"soon": http.StatusPreconditionRequired, fmt.Sprint(time.Now().Unix()): http.StatusOK, time.Now().Format(time.RFC3339): http.StatusOK,
		} {
			a := ask(t, nil, many, append([]string{"X-Groups", "staff,ops", "X-Since", since}, person...)...)
			require.Equal(t, want, a.status, "%s since %q: %s", name, since, a.body)
		}
		other := "X-Secret"
		if c.secret == other {
			other = "Tasker-Proxy-Secret"
		}
		require.Equal(t, http.StatusForbidden, ask(t, nil, address+"/ui/tasks", other, proxySecret, "X-User", "ann").status, "the secret stands in its header")
		require.Equal(t, http.StatusForbidden, ask(t, nil, address+"/ui/tasks", c.secret, proxySecret[1:]+"x", "X-User", "ann").status)
		require.Equal(t, http.StatusUnauthorized, ask(t, nil, address+"/v1/tasks", "X-Forwarded-User", "ann", c.secret, proxySecret).status, "another header names no user")
		require.Equal(t, exitDone, stop())
	}
}

// With --proxy-client-ca the certificate of the connection proves the proxy: that of this authority, and nothing else.
func TestServe_TrustsTheClientCertificateOfAProxy(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "access", "map", "groups=ops")
	certificate, key, roots := makeCertificate(t)
	ca, proxy := makeAuthority(t)
	otherCA, stranger := makeAuthority(t)
	require.NotEqual(t, ca, otherCA)
	address, logged, stop := startServe(t, pgtest.URL(pool), "--cert", certificate, "--key", key, "--proxy-client-ca", ca,
		"--proxy-user-header", "X-User", "--proxy-groups-header", "X-Groups")
	address = "https://" + address
	by := func(certificates ...tls.Certificate) *http.Transport {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
		if len(certificates) > 0 {
			// Sent whichever authorities the server names.
			transport.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &certificates[0], nil }
		}
		t.Cleanup(transport.CloseIdleConnections)
		return transport
	}
	person := []string{"X-User", "ann", "X-Groups", "ops"}
	page := ask(t, by(proxy), address+"/ui/tasks", person...)
	require.Equal(t, http.StatusOK, page.status, page.body)
	require.Contains(t, page.body, ">ann<")
	require.Equal(t, http.StatusOK, ask(t, by(proxy), address+"/v1/tasks", person...).status)

	none := ask(t, by(), address+"/v1/tasks", person...)
	require.Equal(t, http.StatusForbidden, none.status, "a client without a certificate names a person")
	require.Contains(t, none.body, "did not come from the proxy that may")
	require.Equal(t, http.StatusForbidden, ask(t, by(), address+"/v1/tasks", append([]string{"Tasker-Proxy-Secret", ""}, person...)...).status, "no secret is set: none proves the proxy")
	require.Equal(t, http.StatusUnauthorized, ask(t, by(), address+"/v1/tasks").status, "others are as before")
	token := strings.TrimSpace(tasker(t, pool, "token", "create", "bot", "--role", "reader", "--namespaces", "all").out)
	require.Equal(t, http.StatusOK, ask(t, by(), address+"/v1/tasks", "Authorization", "Bearer "+token).status)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/v1/tasks", nil)
	require.NoError(t, err)
	request.Header.Set("X-User", "ann")
	response, err := by(stranger).RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	require.ErrorContains(t, err, "tls: ", "the certificate of another authority does not get as far as a request")
	require.Equal(t, exitDone, stop(), logged.String())
}

// makeAuthority returns the file of an authority, and a client's certificate of it.
func makeAuthority(t *testing.T) (file string, client tls.Certificate) {
	t.Helper()
	keys := [2]*ecdsa.PrivateKey{}
	for i := range keys {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		keys[i] = key
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, authority, authority, &keys[0].PublicKey, keys[0])
	require.NoError(t, err)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, leaf, authority, &keys[1].PublicKey, keys[0])
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600))
	return file, tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: keys[1]}
}

func TestServe_RefusesASignInThatCouldNotWork(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	certificate, key, _ := makeCertificate(t)
	provider := []string{"--oidc-issuer", "https://id.corp.example", "--oidc-client-id", "x", "--public-url", "https://tasker.corp.example"}
	with := func(args ...string) []string { return append(args, provider...) }
	proxied := func(args ...string) []string { return append(args, "--proxy-user-header", "X-User") }
	short := file(t, "short", "0123")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--oidc-client-id", "x"}, exitUsage, "--oidc-client-id needs --oidc-issuer"},
		{[]string{"--oidc-client-secret-file", "x"}, exitUsage, "--oidc-client-secret-file needs --oidc-issuer"},
		{[]string{"--oidc-scopes", "x"}, exitUsage, "--oidc-scopes needs --oidc-issuer"},
		{[]string{"--oidc-audience", "x"}, exitUsage, "--oidc-audience needs --oidc-issuer"},
		{[]string{"--oidc-name", "x"}, exitUsage, "--oidc-name needs --oidc-issuer"},
		{[]string{"--oidc-parameter", "x=y"}, exitUsage, "--oidc-parameter needs --oidc-issuer"},
		{[]string{"--public-url", "https://x"}, exitUsage, "--public-url needs --oidc-issuer"},
		{[]string{"--proxy-email-header", "x"}, exitUsage, "--proxy-email-header needs --proxy-user-header"},
		{[]string{"--proxy-groups-header", "x"}, exitUsage, "--proxy-groups-header needs --proxy-user-header"},
		{[]string{"--proxy-time-header", "x"}, exitUsage, "--proxy-time-header needs --proxy-user-header"},
		{[]string{"--proxy-secret-header", "x"}, exitUsage, "--proxy-secret-header needs --proxy-user-header"},
		{[]string{"--proxy-secret-file", short}, exitUsage, "--proxy-secret-file needs --proxy-user-header"},
		{[]string{"--proxy-client-ca", short}, exitUsage, "--proxy-client-ca needs --proxy-user-header"},

		{[]string{"--oidc-issuer", "https://id.corp.example", "--oidc-client-id", "x"}, exitInvalid, "--oidc-issuer needs --public-url and --oidc-client-id"},
		{[]string{"--oidc-issuer", "https://id.corp.example", "--public-url", "https://x"}, exitInvalid, "--oidc-issuer needs --public-url and --oidc-client-id"},
		{with("--oidc-parameter", "prompt"), exitInvalid, `--oidc-parameter "prompt" has no value`},
		{with("--oidc-parameter", "=consent"), exitInvalid, `--oidc-parameter "=consent" has no value`},
		{with("--oidc-client-secret-file", "/nosuch"), exitInvalid, "the secret cannot be read: open /nosuch"},
		{append(with(), "--oidc-issuer", "http://id.corp.example"), exitInvalid, `issuer "http://id.corp.example" is no address with https`},
		{append(with(), "--oidc-issuer", "corp"), exitInvalid, `issuer "corp" is no address with https`},
		{append(with(), "--public-url", "tasker.corp.example"), exitInvalid, `the public URL "tasker.corp.example" is not the address of a server`},
		{append(with(), "--public-url", "https://corp.example/tasker"), exitInvalid, `the public URL "https://corp.example/tasker" is not the address of a server`},
		{append(with(), "--public-url", "ftp://corp.example"), exitInvalid, `the public URL "ftp://corp.example" is not the address of a server`},

		{proxied(), exitInvalid, "a proxy is trusted by a secret, or by a certificate"},
		{proxied("--proxy-secret-file", short), exitInvalid, "the secret of a proxy has 32 characters or more"},
		{proxied("--proxy-secret-file", "/nosuch"), exitInvalid, "the secret cannot be read: open /nosuch"},
		{proxied("--proxy-client-ca", "/nosuch", "--cert", certificate, "--key", key), exitInvalid, "--proxy-client-ca cannot be used"},
		{proxied("--proxy-client-ca", short, "--cert", certificate, "--key", key), exitInvalid, "--proxy-client-ca cannot be used"},
		{proxied("--proxy-client-ca", certificate), exitInvalid, "--proxy-client-ca needs --cert and --key"},
	} {
		r := tasker(t, pool, append([]string{"serve", "--listen", "127.0.0.1:0"}, c.args...)...)
		require.Equal(t, c.code, r.code, "%s: %s", c.args, r.err)
		require.Contains(t, r.err, c.says, "%s", c.args)
		require.Contains(t, r.err, "hint", "%s", c.args)
		require.Empty(t, r.out)
	}
}
