package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/metrics"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/serve/oidc"
)

// serving has the flags of a server.
type serving struct {
	listen, certificate, key string
	reads                    string
	plainHTTP, readOnly      bool
	maxWait, stopWithin      time.Duration
	proxies                  []string
	addressHeader            string
	signIn

	inherited net.Listener // of --listen systemd
}

// signIn has the flags of people who sign in.
type signIn struct {
	publicURL                         string
	provider                          oidc.Config
	secretFile                        string
	parameters                        []string
	proxy                             serve.Proxy
	proxySecretFile, proxyCertificate string
}

func (s *signIn) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&s.publicURL, "public-url", "", "where browsers reach the server, such as https://tasker.corp.example")
	flags.StringVar(&s.provider.Issuer, "oidc-issuer", "", "the identity provider at which people sign in, by its issuer")
	flags.StringVar(&s.provider.ClientID, "oidc-client-id", "", "the client ID under which the provider knows the server")
	flags.StringVar(&s.secretFile, "oidc-client-secret-file", "", "the file of the client secret (default $TASKER_OIDC_CLIENT_SECRET)")
	flags.StringSliceVar(&s.provider.Scopes, "oidc-scopes", nil, "the scopes to request in addition to openid (default profile,email,offline_access)")
	flags.StringVar(&s.provider.Audience, "oidc-audience", "", "accept the provider's tokens for this audience in the header Authorization, too")
	flags.StringVar(&s.provider.Name, "oidc-name", "", "what people call the provider (default: its host)")
	flags.StringArrayVar(&s.parameters, "oidc-parameter", nil, "NAME=VALUE to send with each sign-in, such as access_type=offline; may be given more than once")
	flags.StringVar(&s.proxy.UserHeader, "proxy-user-header", "", "the header in which a proxy names the person whom it has signed in")
	flags.StringVar(&s.proxy.EmailHeader, "proxy-email-header", "", "the header with the person's verified e-mail address")
	flags.StringVar(&s.proxy.GroupsHeader, "proxy-groups-header", "", "the header with the person's groups, separated by commas")
	flags.StringVar(&s.proxy.TimeHeader, "proxy-time-header", "", "the header with the time of the sign-in; without this header the proxy itself must ask for a new sign-in")
	flags.StringVar(&s.proxy.SecretHeader, "proxy-secret-header", "Tasker-Proxy-Secret", "the header with the secret that proves the proxy")
	flags.StringVar(&s.proxySecretFile, "proxy-secret-file", "", "the file of the secret that proves the proxy (default $TASKER_PROXY_SECRET)")
	flags.StringVar(&s.proxyCertificate, "proxy-client-ca", "", "the file of the authority whose client certificates prove the proxy, instead of a secret")
}

// needs lists, for each flag, the flags that have no effect without it.
var needs = map[string][]string{
	"oidc-issuer":       {"public-url", "oidc-client-id", "oidc-client-secret-file", "oidc-scopes", "oidc-audience", "oidc-name", "oidc-parameter"},
	"proxy-user-header": {"proxy-email-header", "proxy-groups-header", "proxy-time-header", "proxy-secret-header", "proxy-secret-file", "proxy-client-ca"},
}

// check refuses flags that would have no effect, because the server would run without the sign-in that they configure.
func (s *signIn) check(command *cobra.Command) error {
	for needed, flags := range needs {
		for _, flag := range flags {
			if command.Flags().Changed(flag) && command.Flag(needed).Value.String() == "" {
				return usage(command, "--%s needs --%s", flag, needed)
			}
		}
	}
	return nil
}

// configure completes the configuration of a server.
func (s *signIn) configure(a *app, config *serve.Config) error {
	var err error
	if s.provider.Issuer != "" {
		if s.publicURL == "" || s.provider.ClientID == "" {
			return invalid("The identity provider sends people back to the public URL.", "--oidc-issuer needs --public-url and --oidc-client-id")
		}
		if s.provider.ClientSecret, err = a.secret(s.secretFile, "TASKER_OIDC_CLIENT_SECRET"); err != nil {
			return err
		}
		s.provider.Parameters = map[string]string{}
		for _, given := range s.parameters {
			name, value, found := strings.Cut(given, "=")
			if !found || name == "" {
				return invalid("It is NAME=VALUE, such as access_type=offline.", "--oidc-parameter %s has no value", quote(given))
			}
			s.provider.Parameters[name] = value
		}
		provider, err := oidc.New(s.provider)
		if err != nil {
			return invalid("docs/howto/sign-in.md says what to enter.", "%s", strings.TrimPrefix(err.Error(), "oidc: "))
		}
		config.Provider, config.PublicURL = provider, s.publicURL
	}
	if s.proxy.UserHeader != "" {
		if s.proxy.Secret, err = a.secret(s.proxySecretFile, "TASKER_PROXY_SECRET"); err != nil {
			return err
		}
		s.proxy.Certificate = s.proxyCertificate != ""
		config.Proxy = &s.proxy
	}
	return nil
}

// secret returns the secret of a file, or of a variable of the environment.
func (a *app) secret(file, variable string) (string, error) {
	if file == "" {
		return a.Getenv(variable), nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", invalid("It is a file with the secret alone.", "the secret cannot be read: %s", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// clients returns the authorities whose client certificates prove the proxy, or nil if there are none.
func (s *signIn) clients() (*x509.CertPool, error) {
	if s.proxyCertificate == "" {
		return nil, nil
	}
	content, err := os.ReadFile(s.proxyCertificate)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(content) {
		return nil, invalid("It is a PEM file.", "--proxy-client-ca cannot be used")
	}
	return pool, nil
}

func (a *app) serveCommand() *cobra.Command {
	var config serving
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "serve",
		Short: "Serve REST and the operators' page over HTTP: tasks, steps, templates, health and what operators do",
		Long: `Serve REST and the operators' page over HTTP: tasks, steps, templates, health and operators' actions. /ui is
the page for people, where they log in with a token. GET /v1/docs is the page that describes the API, and /v1/openapi.json
describes it for programs. /healthz and /readyz need no token; all other paths need a token of tasker token create.

The login of the server is a role without its own rights, as docs/serve.md describes. A superuser causes a warning on loopback
and is refused elsewhere. With --reads a standby answers requests that only read, and reports its lag. Beyond loopback the
server speaks TLS with --cert and --key. It reads these files again when they change. If a proxy in front of the server speaks
TLS, use --plain-http. With --trusted-proxy unknown tokens are counted by the address of the client that the proxy names.
SIGINT and SIGTERM let requests finish. SIGHUP makes the server read --cert and --key again at once.

With --oidc-issuer people sign in at an identity provider, and with --proxy-user-header a proxy names the person whom it has
signed in. tasker access map gives these people their roles. docs/howto/sign-in.md has the steps. Without these flags there is
no sign-in.`,
		Example: `  tasker serve                                      # http://127.0.0.1:8480
  tasker serve --listen :8443 --cert server.pem --key server.key
  tasker serve --read-only
  tasker serve --oidc-issuer https://id.corp.example --oidc-client-id tasker --public-url https://tasker.corp.example`,
	}, "nothing; logs are JSON, a line for each request", func(ctx context.Context, _ []string) (err error) {
		if (config.certificate == "") != (config.key == "") {
			return usage(command, "--cert and --key belong together")
		}
		if err := config.check(command); err != nil {
			return err
		}
		if config.listen == listenSystemd {
			if config.inherited, err = a.inheritedListener(); err != nil {
				return err
			}
			config.listen = addressOf(config.inherited)
		}
		if config.certificate == "" && !config.plainHTTP && !loopback(config.listen) {
			return errors.Join(&problem{
				Exit: exitUsage, Message: "tokens would travel in the clear from " + quote(config.listen),
				Hint: "Give --cert and --key, listen on 127.0.0.1, or say --plain-http if a proxy before it speaks TLS.",
			}, config.closeInherited())
		}
		return a.serve(ctx, config)
	})
	flags := command.Flags()
	flags.StringVar(&config.listen, "listen", "127.0.0.1:8480", "the address to listen at, HOST:PORT; systemd for the socket that systemd passes")
	flags.StringVar(&config.certificate, "cert", "", "the file of the TLS certificate, with its chain")
	flags.StringVar(&config.key, "key", "", "the file of the certificate's key")
	flags.BoolVar(&config.plainHTTP, "plain-http", false, "serve HTTP beyond loopback, because a proxy in front of the server speaks TLS")
	flags.StringVar(&config.reads, "reads", "", "the address of a standby for requests that only read (default $DATABASE_READ_URL)")
	flags.StringArrayVar(&config.proxies, "trusted-proxy", nil, "the address or network of a proxy that names the client's address; may be given more than once")
	flags.StringVar(&config.addressHeader, "client-address-header", "X-Forwarded-For", "the header in which trusted proxies name the client's address")
	config.flags(command)
	flags.BoolVar(&config.readOnly, "read-only", false, "refuse requests that write; the database enforces it")
	flags.DurationVar(&config.maxWait, "max-wait", time.Minute, "how long one request may wait for a task")
	flags.DurationVar(&config.stopWithin, "stop-within", 10*time.Second, "how long requests may take to finish at the end")
	return command
}

// loopback returns whether an address can be reached only from this machine.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// clientAddress returns the function that finds the address of a client, or nil without trusted proxies.
func (s serving) clientAddress() (func(*http.Request) string, error) {
	if len(s.proxies) == 0 {
		return nil, nil
	}
	var proxies []netip.Prefix
	for _, given := range s.proxies {
		proxy, err := netip.ParsePrefix(given)
		if address, single := netip.ParseAddr(given); err != nil && single == nil {
			proxy, err = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), nil
		}
		if err != nil {
			return nil, invalid("It is an address or a network: 10.0.0.4 or 10.0.0.0/8.", "--trusted-proxy %s is neither", quote(given))
		}
		proxies = append(proxies, proxy.Masked())
	}
	return serve.Forwarded(s.addressHeader, proxies), nil
}

func (a *app) serve(ctx context.Context, config serving) error {
	clientAddress, err := config.clientAddress()
	if err != nil {
		return err
	}
	pool, err := a.connect(ctx)
	if err != nil {
		return err
	}
	reads, err := a.connectReads(ctx, config.reads)
	if err != nil {
		return err
	}
	logger := a.logger()
	options := serve.Config{
		Reads:    reads,
		ReadOnly: config.readOnly,
		Loopback: loopback(config.listen),
		MaxWait:  config.maxWait,
		Logger:   logger,

		ClientAddress: clientAddress,
		Metrics: func(db executor.DBTX) http.Handler {
			return metrics.Handler(db, metrics.Config{Logger: logger})
		},
	}
	if err := config.configure(a, &options); err != nil {
		return err
	}
	proxies, err := config.clients()
	if err != nil {
		return err
	}
	if proxies != nil && config.certificate == "" {
		return invalid("The server verifies client certificates when it speaks TLS.", "--proxy-client-ca needs --cert and --key")
	}
	handler, err := serve.New(ctx, pool, options)
	var login *serve.LoginError
	var wrong *serve.ConfigError
	switch {
	case errors.As(err, &wrong):
		return invalid("docs/howto/sign-in.md says what to enter.", "%s", strings.TrimPrefix(wrong.Error(), "serve: "))
	case errors.As(err, &login):
		return &problem{Exit: exitForbidden, Message: login.Finding.Message, Hint: text(login.Finding.Hint)}
	case err != nil:
		return err
	}

	listener := config.inherited
	if listener == nil {
		var listening net.ListenConfig
		listener, err = listening.Listen(ctx, "tcp", config.listen)
	}
	if err != nil {
		return &problem{
			Exit: exitFailed, Message: "nothing can be served at " + quote(config.listen), Detail: err.Error(),
			Hint: "--listen takes HOST:PORT, such as 127.0.0.1:8480, where nothing else listens.",
		}
	}
	requests, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	server := newServer(handler, config.maxWait)
	server.BaseContext = func(net.Listener) context.Context { return requests }
	server.RegisterOnShutdown(handler.Close) // The streams of open pages would not end by themselves.
	if config.certificate != "" {
		files := &keyPair{certificate: config.certificate, key: config.key}
		if _, err := files.get(nil); err != nil {
			return invalid("Both are PEM files.", "--cert and --key cannot be used: %s", err)
		}
		defer files.onHangup(ctx, logger)()
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: files.get}
		if proxies != nil {
			server.TLSConfig.ClientCAs, server.TLSConfig.ClientAuth = proxies, tls.VerifyClientCertIfGiven
		}
	}

	// Serve changes server.TLSConfig.
	secured := server.TLSConfig != nil
	served := make(chan error, 1)
	go func() {
		if secured {
			served <- server.ServeTLS(listener, "", "")
			return
		}
		served <- server.Serve(listener)
	}()
	logger.InfoContext(ctx, "serving", "address", listener.Addr().String(), "tls", secured, "read_only", config.readOnly)

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), config.stopWithin)
	defer cancel()
	// A request that waits for a task could wait longer than the time to stop. When half of that time is over, it is answered
	// with the current state.
	timer := time.AfterFunc(config.stopWithin/2, abort)
	defer timer.Stop()
	if err := server.Shutdown(stop); err != nil {
		logger.WarnContext(requests, "requests were cut off", "error", errors.Join(err, server.Close()))
	}
	<-served
	logger.InfoContext(requests, "stopped")
	return nil
}

// newServer returns a server with timeouts, so that slow clients cannot keep it busy.
func newServer(handler http.Handler, maxWait time.Duration) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      maxWait + time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}

// keyPair is a certificate with its key. Their files are read again when they have changed.
type keyPair struct {
	certificate, key string
	mutex            sync.Mutex
	changed          time.Time
	loaded           *tls.Certificate
}

func (k *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	file, err := os.Stat(k.certificate)
	if err == nil && k.loaded != nil && file.ModTime().Equal(k.changed) {
		return k.loaded, nil
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(k.certificate, k.key)
	}
	switch {
	case err == nil:
		k.loaded, k.changed = &pair, file.ModTime()
	case k.loaded == nil:
		return nil, err
	}
	return k.loaded, nil // The files are being replaced: use the former certificate.
}

// onHangup reads the files again on each SIGHUP, and logs whether they can be used. The returned function ends this.
func (k *keyPair) onHangup(ctx context.Context, logger *slog.Logger) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		defer close(done)
		for range signals {
			pair, err := tls.LoadX509KeyPair(k.certificate, k.key)
			if err != nil {
				logger.ErrorContext(ctx, "the certificate cannot be read again; the one before stays", "error", err)
				continue
			}
			k.mutex.Lock()
			k.loaded = &pair
			k.mutex.Unlock()
			logger.InfoContext(ctx, "the certificate was read again")
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}
