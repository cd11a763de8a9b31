//go:build unix

package cli

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// systemd passes its socket as descriptor 3. The socket stays while the server restarts, and SIGHUP has it read the certificate again.
func TestServe_TakesTheSocketOfSystemdAndReloads(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	certificate, key, roots := makeCertificate(t)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	socket, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	defer func() { require.NoError(t, socket.Close()) }()
	serve := func() (*exec.Cmd, *journal) {
		logged := &journal{address: make(chan string, 1)}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`,
			os.Args[0], "serve", "--listen", "systemd", "--cert", certificate, "--key", key)
		cmd.Env = append(os.Environ(), envChild+"=1", "DATABASE_URL="+pgtest.URL(pool))
		cmd.ExtraFiles, cmd.Stderr = []*os.File{socket}, logged
		require.NoError(t, cmd.Start())
		return cmd, logged
	}
	healthy := func(roots *x509.CertPool) error {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}, Timeout: time.Minute}
		defer client.CloseIdleConnections()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+listener.Addr().String()+"/healthz", nil)
		require.NoError(t, err)
		response, err := client.Do(request)
		if err == nil {
			err = response.Body.Close()
		}
		return err
	}
	first, logged := serve()
	require.NoError(t, healthy(roots), logged)
	// Other certificates in files with the times of the ones before: only SIGHUP tells.
	info, err := os.Stat(certificate)
	require.NoError(t, err)
	renewed, renewedKey, renewedRoots := makeCertificate(t)
	require.NoError(t, os.Rename(renewedKey, key))
	require.NoError(t, os.Chtimes(renewed, info.ModTime(), info.ModTime()))
	require.NoError(t, os.Rename(renewed, certificate))
	require.Error(t, healthy(renewedRoots))
	require.NoError(t, first.Process.Signal(syscall.SIGHUP))
	require.Eventually(t, func() bool { return healthy(renewedRoots) == nil }, time.Minute, 10*time.Millisecond, logged)
	// A file that cannot be used changes nothing.
	require.NoError(t, os.WriteFile(key, []byte("no key"), 0o600))
	require.NoError(t, first.Process.Signal(syscall.SIGHUP))
	require.NoError(t, healthy(renewedRoots))
	require.NoError(t, first.Process.Signal(os.Interrupt))
	require.NoError(t, first.Wait(), logged)

	// A request that comes while nothing listens waits for the next server.
	again, againKey, againRoots := makeCertificate(t)
	require.NoError(t, os.Rename(againKey, key))
	require.NoError(t, os.Rename(again, certificate))
	answered := make(chan error, 1)
	go func() { answered <- healthy(againRoots) }()
	second, logged := serve()
	require.NoError(t, <-answered, logged)
	require.NoError(t, second.Process.Signal(os.Interrupt))
	require.NoError(t, second.Wait(), logged)

	r := tasker(t, pool, "serve", "--listen", "systemd")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "systemd has passed no socket")
}
