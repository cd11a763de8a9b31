package cli

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// journal is a log that signals when the server is ready.
type journal struct {
	mutex   sync.Mutex
	text    bytes.Buffer
	address chan string
}

var servingAt = regexp.MustCompile(`msg=serving address=(\S+)`)

func (j *journal) Write(p []byte) (int, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if found := servingAt.FindSubmatch(p); found != nil {
		j.address <- string(found[1])
	}
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.String()
}

// startServe runs tasker serve until stop is called, which returns the exit code.
func startServe(t *testing.T, address string, args ...string) (url string, logged *journal, stop func() int) {
	t.Helper()
	return startServeWith(t, map[string]string{"DATABASE_URL": address}, args...)
}

// startServeWith runs it with these variables of the environment.
func startServeWith(t *testing.T, env map[string]string, args ...string) (url string, logged *journal, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	logged = &journal{address: make(chan string, 1)}
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), In: strings.NewReader(""), Out: io.Discard, Err: logged,
			Getenv: func(name string) string { return env[name] },
		})
	}()
	select {
	case at := <-logged.address:
		return at, logged, func() int { cancel(); return <-code }
	case <-time.After(time.Minute):
		require.Fail(t, "the server does not answer", logged.String())
	case c := <-code:
		require.Fail(t, "it has ended", "%d: %s", c, logged.String())
	}
	return "", nil, nil
}

func get(t *testing.T, client *http.Client, url, token string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

func TestServe_AnswersUntilItIsStopped(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	made := tasker(t, pool, "token", "create", "ops", "--role", "reader", "--namespaces", "all", "--expires", "never")
	require.Equal(t, exitDone, made.code, made.err)
	token := strings.TrimSpace(made.out)
	require.Equal(t, "ops acts as tasker_reader in all namespaces, until it is revoked. It is shown this once:\n", made.err)

	address, logged, stop := startServe(t, pgtest.URL(pool))
	client := &http.Client{}
	status, body := get(t, client, "http://"+address+"/v1/tasks/"+task, token)
	require.Equal(t, http.StatusOK, status, body)
	status, body = get(t, client, "http://"+address+"/metrics", token)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "pgtasker_up 1")

	// The server answers a waiting request before it ends.
	waited := make(chan int, 1)
	go func() {
		status, _ := get(t, client, "http://"+address+"/v1/tasks/"+task+"/wait?timeout_seconds=2", token)
		waited <- status
	}()
	require.Equal(t, "ops revoked\n", must(t, pool, "token", "revoke", "ops"))
	require.Equal(t, "ops was revoked before\n", must(t, pool, "token", "revoke", "ops"))
	status, _ = get(t, client, "http://"+address+"/v1/tasks/"+task, token)
	require.Equal(t, http.StatusUnauthorized, status)
	<-waited
	client.CloseIdleConnections()
	require.Equal(t, exitDone, stop())
	require.Contains(t, logged.String(), "level=WARN", "the login is a superuser")
	require.Contains(t, logged.String(), "msg=stopped")
	require.NotContains(t, logged.String(), token)
}

func TestServe_SpeaksTLS(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	certificate, key, roots := makeCertificate(t)
	address, _, stop := startServe(t, pgtest.URL(pool), "--cert", certificate, "--key", key)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	status, body := get(t, client, "https://"+address+"/healthz", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok\n", body)

	// After the files are replaced, the next connection uses the new certificate.
	renewed, renewedKey, newRoots := makeCertificate(t)
	for from, to := range map[string]string{renewedKey: key, renewed: certificate} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, 0o600))
	}
	later := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(certificate, later, later))
	client.CloseIdleConnections()
	client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: newRoots, MinVersion: tls.VersionTLS12}}}
	status, _ = get(t, client, "https://"+address+"/healthz", "")
	require.Equal(t, http.StatusOK, status)
	client.CloseIdleConnections()
	require.Equal(t, exitDone, stop())
}

func TestServe_RefusesWhatIsNotSafe(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	r := tasker(t, pool, "serve", "--listen", "0.0.0.0:0")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "in the clear")
	r = tasker(t, pool, "serve", "--listen", "0.0.0.0:0", "--plain-http")
	require.Equal(t, exitForbidden, r.code)
	require.Contains(t, r.err, "is a superuser")
	r = tasker(t, pool, "serve", "--cert", "x")
	require.Equal(t, exitUsage, r.code)
	r = tasker(t, pool, "serve", "--cert", "x", "--key", "y")
	require.Equal(t, exitInvalid, r.code)
	r = tasker(t, pool, "token", "create", "x", "--role", "reader")
	require.Equal(t, exitUsage, r.code)
	r = tasker(t, pool, "token", "create", "x", "--role", "owner", "--namespaces", "all")
	require.Equal(t, exitNotFound, r.code, r.err)
	r = tasker(t, pool, "token", "create", "x", "--role", "reader", "--namespaces", "all", "--expires", "soon")
	require.Equal(t, exitInvalid, r.code, r.err)
	r = tasker(t, pool, "token", "revoke", "x")
	require.Equal(t, exitNotFound, r.code, r.err)
}

// makeCertificate creates a self-signed certificate for 127.0.0.1.
func makeCertificate(t *testing.T) (certificate, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "server.pem"), filepath.Join(dir, "server.key")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	require.NoError(t, os.WriteFile(certificate, text, 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	roots = x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(text))
	return certificate, key, roots
}

// An exchange on a session that has died silently does not hold up the end of the process.
func TestServe_StopsAlthoughSessionsAreDead(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	database := faultproxy.Postgres(t, pool)
	token, hash := bearer.New()
	_, err := executor.New(pool).CreateToken(t.Context(), sqlfn.CreateTokenParams{
		Name: "worker", TokenHash: hash, RoleName: "tasker_worker", Namespaces: []string{"*"},
	})
	require.NoError(t, err)
	url, logged, stop := startServe(t, database.URL(pool.Config().ConnConfig.User), "--stop-within", "1s")
	exchange := func() {
		const body = `{"worker_uuid": "4f0c6a4e-0000-4000-8000-000000000001", "limit": 1}`
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+url+"/v1/exchange", strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}
	exchange()
	database.Silence(true)
	accepted := database.Swallowed()
	var sent sync.WaitGroup
	sent.Go(exchange)
	require.Eventually(t, func() bool { return database.Swallowed() > accepted }, time.Minute, time.Millisecond)
	began := time.Now()
	require.Zero(t, stop())
	require.Less(t, time.Since(began), 10*time.Second, logged.String())
	sent.Wait()
}

func TestServe_TakesAddressesAndNetworksOfProxies(t *testing.T) {
	t.Parallel()
	address, err := serving{}.clientAddress()
	require.NoError(t, err)
	require.Nil(t, address, "without proxies the connection's address counts")

	config := serving{proxies: []string{"10.0.0.0/8", "192.0.2.1", "::ffff:198.51.100.1"}, addressHeader: "X-Real-IP"}
	address, err = config.clientAddress()
	require.NoError(t, err)
	for remote, want := range map[string]string{
		"10.9.8.7:1": "203.0.113.9", "192.0.2.1:1": "203.0.113.9", "198.51.100.1:1": "203.0.113.9", "192.0.2.2:1": "192.0.2.2",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Real-IP", "203.0.113.9")
		require.Equal(t, want, address(r), remote)
	}

	config.proxies = []string{"proxy.example"}
	_, err = config.clientAddress()
	require.ErrorContains(t, err, `--trusted-proxy "proxy.example" is neither`)
}
