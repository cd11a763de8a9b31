package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
	"github.com/pgtasker/pgtasker/relay"
)

// relaying has the flags of a relay.
type relaying struct {
	relay.Config
	allow            []string
	allowHTTP        bool
	timeout          time.Duration
	authority        string
	certificate, key string
	attempts         int32
	metrics          string
	steps            bool
}

func (a *app) relayCommand() *cobra.Command {
	var config relaying
	command := a.leaf(cobra.Command{
		Use:   "relay",
		Short: "Deliver the events of subscriptions, to webhooks, pgmq and RabbitMQ; publish steps to RabbitMQ",
		Long: `Deliver the events of subscriptions to their targets, until SIGINT or SIGTERM; the exit code is 0 then. Any
number of relays may run. At any time one relay delivers a subscription, and another continues where that relay stopped or
crashed. With --steps a relay also publishes ready steps of namespaces with transport broker. See docs/feed.md,
docs/howto/webhook.md and docs/howto/rabbitmq.md.

Secrets are read from the environment. A webhook is signed with PGTASKER_WEBHOOK_SECRET_<SUBSCRIPTION> (the name in capitals),
or without this variable with PGTASKER_WEBHOOK_SECRET. Each has one or more secrets "whsec_…", separated by blanks. If a
caller that is bound to namespaces created the subscription, only the first variable is used. AMQP_URL is the address of
RabbitMQ. Without it, other relays have to deliver the subscriptions of RabbitMQ, and --steps is refused.`,
		Example: `  PGTASKER_WEBHOOK_SECRET=whsec_… tasker relay
  AMQP_URL=amqps://relay:…@broker/ tasker relay --steps --ca broker.pem --metrics 127.0.0.1:9188`,
	}, "nothing; logs are JSON too", func(ctx context.Context, _ []string) error {
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		config.Logger = a.logger()
		config.MaxAttempts = config.attempts
		config.Lease = leaseFor(config.timeout)
		webhook := &relay.Webhook{AllowHTTP: config.allowHTTP, Timeout: config.timeout, Secrets: a.webhookSecrets}
		for _, given := range config.allow {
			prefix, err := netip.ParsePrefix(given)
			if err != nil {
				return invalid("It is a network such as 10.1.0.0/16.", "--allow cannot be %s", quote(given))
			}
			webhook.Allow = append(webhook.Allow, prefix)
		}
		trusted, err := clientTLS(config.authority, config.certificate, config.key)
		if err != nil {
			return err
		}
		webhook.TLS = trusted.Clone()
		webhook.TLS.Certificates = nil // The certificate is only for RabbitMQ.
		config.Targets = map[string]relay.Open{"webhook": webhook.Open}
		if address := a.Getenv("AMQP_URL"); address != "" {
			if config.steps {
				config.Steps = func(ctx context.Context, queue messaging.Config) (messaging.Queue, error) {
					return rabbitmq.Open(ctx, rabbitmq.Config{Config: queue, URL: address, TLS: trusted, Logger: config.Logger})
				}
			}
			config.Targets["rabbitmq"] = func(ctx context.Context, _ string, target json.RawMessage) (relay.Target, error) {
				var to struct{ Queue string }
				if err := json.Unmarshal(target, &to); err != nil {
					return nil, err
				}
				queue, err := rabbitmq.Open(ctx, rabbitmq.Config{
					Config: messaging.Config{Name: to.Queue}, URL: address, TLS: trusted, Logger: config.Logger,
				})
				if err != nil {
					return nil, err
				}
				return relay.Queue(queue), nil
			}
		} else if config.steps {
			return invalid("AMQP_URL is the address of RabbitMQ, amqps://user:password@host/vhost.", "--steps needs AMQP_URL")
		}
		if config.metrics != "" {
			stop, err := serveMetrics(ctx, config.metrics, pool, pool, config.Logger)
			if err != nil {
				return err
			}
			defer stop()
		}
		config.Logger.InfoContext(ctx, "relaying", "subscriptions", cmp.Or(strings.Join(config.Only, " "), "all"), "steps", config.steps)
		if err := relay.Run(ctx, pool, config.Config); err != nil {
			return err
		}
		config.Logger.InfoContext(context.WithoutCancel(ctx), "stopped")
		return nil
	})
	flags := command.Flags()
	flags.StringSliceVar(&config.Only, "only", nil, "deliver these subscriptions only")
	flags.StringSliceVar(&config.allow, "allow", nil, "networks that are not public but that webhooks may call, such as 10.1.0.0/16")
	flags.BoolVar(&config.allowHTTP, "allow-http", false, "allow webhooks without TLS")
	flags.StringVar(&config.authority, "ca", "", "the file of a certificate authority to trust, instead of the system's")
	flags.StringVar(&config.certificate, "cert", "", "the file of the certificate that the relay shows to RabbitMQ, with its chain")
	flags.StringVar(&config.key, "key", "", "the file of the certificate's key (default: the file of --cert)")
	flags.DurationVar(&config.timeout, "timeout", 15*time.Second, "how long one call of a webhook may take; above 24s another relay takes over from a lost one later")
	flags.Int32Var(&config.attempts, "attempts", 20, "how many attempts to deliver an event are made before it is given up")
	flags.BoolVar(&config.steps, "steps", false, "publish the ready steps of namespaces with transport broker to RabbitMQ")
	flags.IntVar(&config.StepDepth, "depth", 1000, "publish no more steps to a lane that has this many messages")
	flags.DurationVar(&config.PollInterval, "poll", 250*time.Millisecond, "the pause after a query that found nothing")
	flags.StringVar(&config.metrics, "metrics", "", "serve metrics for Prometheus at this address, such as 127.0.0.1:9188")
	a.completeFlag(command, "only", a.subscriptions)
	return command
}

// leaseFor returns a relay's lease for a timeout of webhook calls: the default, or a longer lease that is long enough for a call.
func leaseFor(timeout time.Duration) time.Duration { return max(30*time.Second, timeout*5/4) }

// webhookSecrets reads the secrets of a subscription from the environment. If own is true, it does not use the secrets that all
// subscriptions share.
func (a *app) webhookSecrets(subscription string, own bool) ([]string, error) {
	name := "PGTASKER_WEBHOOK_SECRET_" + strings.ToUpper(subscription)
	secrets := strings.Fields(a.Getenv(name))
	if len(secrets) == 0 && own {
		return nil, fmt.Errorf("%s is not set, and the subscription is signed only with a secret of its own", name)
	}
	if len(secrets) == 0 {
		secrets = strings.Fields(a.Getenv("PGTASKER_WEBHOOK_SECRET"))
	}
	if len(secrets) == 0 {
		return nil, fmt.Errorf("neither %s nor PGTASKER_WEBHOOK_SECRET is set", name)
	}
	return secrets, nil
}

// clientTLS returns a configuration that trusts the authorities of a file, or without a file the system's authorities. If a
// certificate is given, the client presents it.
func clientTLS(authority, certificate, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		pem, err := os.ReadFile(authority)
		if err != nil {
			return nil, invalid("It is a PEM file.", "--ca cannot be read: %s", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, invalid("It is a PEM file.", "--ca %s has no certificate", quote(authority))
		}
	}
	switch {
	case certificate != "":
		pair, err := tls.LoadX509KeyPair(certificate, cmp.Or(key, certificate))
		if err != nil {
			return nil, invalid("Both are PEM files.", "--cert and --key cannot be used: %s", err)
		}
		config.Certificates = []tls.Certificate{pair}
	case key != "":
		return nil, invalid("Give --cert, too.", "--key has no certificate")
	}
	return config, nil
}
