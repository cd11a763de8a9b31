package rabbitmq_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
)

const within = 30 * time.Second

func name() string { return "test_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	return ctx
}

func message(body string) messaging.Message { return messaging.Message{Body: json.RawMessage(body)} }

// channel is an AMQP channel as another program would have it.
func channel(t *testing.T, url string) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	c, err := conn.Channel()
	require.NoError(t, err)
	return c
}

// ctl runs rabbitmqctl.
func ctl(t *testing.T, arguments ...string) {
	t.Helper()
	out, err := exec.CommandContext(context.WithoutCancel(t.Context()), address(t, "PGTASKER_TEST_RABBITMQ_CTL"), arguments...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// The two that follow disturb all others and so are not parallel.

func TestSend_SurvivesARestartOfTheBroker(t *testing.T) {
	url := address(t, "PGTASKER_TEST_RABBITMQ")
	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: url})
	require.NoError(t, q.Send(soon(t), message(`"before"`)))
	held, err := q.Receive(soon(t), 1)
	require.NoError(t, err)

	ctl(t, "stop_app")
	sent := make(chan error, 1)
	go func() {
		for {
			// A session that is not known to be lost yet fails; the next call waits for the broker.
			if err := q.Send(t.Context(), messaging.Message{ID: "during", Body: json.RawMessage(`"during"`)}); err == nil || t.Context().Err() != nil {
				sent <- err
				return
			}
		}
	}()
	ctl(t, "start_app")
	require.NoError(t, <-sent)
	require.ErrorIs(t, q.Acknowledge(soon(t), held[0]), messaging.ErrExpired)
	bodies := map[string]int{}
	for len(bodies) < 2 {
		got, err := q.Receive(soon(t), 10)
		require.NoError(t, err)
		for _, d := range got {
			bodies[string(d.Body)] = d.Attempt
			require.NoError(t, q.Acknowledge(soon(t), d))
		}
	}
	require.Equal(t, map[string]int{`"before"`: 2, `"during"`: 1}, bodies)
}

func TestSend_WaitsWhileTheBrokerIsShortOfMemory(t *testing.T) {
	url := address(t, "PGTASKER_TEST_RABBITMQ")
	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: url})
	require.NoError(t, q.Send(soon(t), message(`1`)))
	ctl(t, "set_vm_memory_high_watermark", "absolute", "1")
	t.Cleanup(func() {
		if t.Failed() {
			ctl(t, "set_vm_memory_high_watermark", "0.4")
		}
	})

	// The broker speaks of the alarm to connections that send: one of these is not confirmed, those after it wait.
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		require.ErrorIs(t, q.Send(ctx, message(`2`)), context.DeadlineExceeded)
		cancel()
	}
	ctl(t, "set_vm_memory_high_watermark", "0.4")
	require.NoError(t, q.Send(soon(t), message(`3`)))
	got, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	require.Equal(t, `1`, string(got[0].Body))
}

// secured trusts the authority of tools/rabbitmq.sh and has a client's certificate.
func secured(t *testing.T) *tls.Config {
	t.Helper()
	authority, err := os.ReadFile(address(t, "PGTASKER_TEST_RABBITMQ_CA"))
	require.NoError(t, err)
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM(authority))
	client := address(t, "PGTASKER_TEST_RABBITMQ_CERT")
	certificate, err := tls.LoadX509KeyPair(client, client)
	require.NoError(t, err)
	return &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
}

func TestOpen_OverTLS(t *testing.T) {
	t.Parallel()
	url := address(t, "PGTASKER_TEST_RABBITMQ_TLS")
	config := rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: url, TLS: secured(t)}
	q := open(t, config)
	require.NoError(t, q.Send(soon(t), message(`"secret"`)))
	got, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	require.Equal(t, `"secret"`, string(got[0].Body))

	refused := func(tls *tls.Config) error {
		config.TLS = tls
		_, err := rabbitmq.Open(soon(t), config)
		require.Error(t, err)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "the broker refuses the connection before the test gives up")
		return err
	}
	var unverified *tls.CertificateVerificationError
	require.ErrorAs(t, refused(nil), &unverified, "a certificate of an unknown authority is refused")
	elsewhere := secured(t)
	elsewhere.ServerName = "broker.example"
	require.ErrorAs(t, refused(elsewhere), &unverified, "the certificate of another host is refused")
	var name x509.HostnameError
	require.ErrorAs(t, refused(elsewhere), &name)
	stranger := secured(t)
	stranger.Certificates = nil
	require.Error(t, refused(stranger), "a client without a certificate, which TLS 1.3 tells after the handshake")
}

func TestReceive_TakesNoMoreThanWasAskedFor(t *testing.T) {
	t.Parallel()
	config := rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: address(t, "PGTASKER_TEST_RABBITMQ")}
	q, other := open(t, config), open(t, config)
	for i := range 50 {
		require.NoError(t, q.Send(soon(t), message(strconv.Itoa(i))))
	}
	got, err := q.Receive(soon(t), 3)
	require.NoError(t, err)
	require.LessOrEqual(t, len(got), 3)
	rest := 0
	for rest < 50-len(got) {
		more, err := other.Receive(soon(t), 100)
		require.NoError(t, err)
		rest += len(more)
	}
	require.Equal(t, 50-len(got), rest, "the other receiver gets all that the first did not ask for")
}

func TestReceive_TakesMessagesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	url := address(t, "PGTASKER_TEST_RABBITMQ")
	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: url})
	require.NoError(t, q.Send(soon(t), message(`1`)))
	first, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	require.NoError(t, q.Acknowledge(soon(t), first[0]))

	queue := name()
	foreign := open(t, rabbitmq.Config{Config: messaging.Config{Name: queue}, URL: url})
	require.NoError(t, channel(t, url).PublishWithContext(soon(t), "", queue, true, false, amqp.Publishing{
		MessageId: "m1", Body: []byte("no JSON"), Headers: amqp.Table{"plain": "p", "number": int32(7), "x-theirs": "x"},
	}))
	got, err := foreign.Receive(soon(t), 1)
	require.NoError(t, err)
	require.Equal(t, messaging.Message{ID: "m1", Body: json.RawMessage("no JSON"), Headers: map[string]string{"plain": "p"}}, got[0].Message)
}

func TestSend_SaysThatTheQueueIsGone(t *testing.T) {
	t.Parallel()
	url, queue := address(t, "PGTASKER_TEST_RABBITMQ"), name()
	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: queue}, URL: url})
	_, err := channel(t, url).QueueDelete(queue, false, false, false)
	require.NoError(t, err)
	require.ErrorContains(t, q.Send(soon(t), message(`1`)), `queue "`+queue+`" does not exist`)

	// A receiver creates it again.
	received := make(chan error, 1)
	go func() {
		_, err := q.Receive(soon(t), 1)
		received <- err
	}()
	require.Eventually(t, func() bool { return q.Send(soon(t), message(`2`)) == nil }, within, 10*time.Millisecond)
	require.NoError(t, <-received)
}

func TestOpen_RefusesAnotherConfigurationOfTheQueue(t *testing.T) {
	t.Parallel()
	config := rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: address(t, "PGTASKER_TEST_RABBITMQ")}
	open(t, config)
	config.MaxDeliveries = 3
	_, err := rabbitmq.Open(soon(t), config)
	require.ErrorIs(t, err, messaging.ErrInvalid)
	require.ErrorContains(t, err, "is there with another configuration")

	config.Existing = true
	open(t, config)
	config.Name = name()
	_, err = rabbitmq.Open(soon(t), config)
	require.ErrorContains(t, err, "NOT_FOUND")
}

func TestOpen_RefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://broker", "amqp://user:hidden@broker:port"} {
		_, err := rabbitmq.Open(t.Context(), rabbitmq.Config{Config: messaging.Config{Name: "orders"}, URL: url})
		require.ErrorIs(t, err, messaging.ErrInvalid)
		require.NotContains(t, err.Error(), "hidden")
	}
	_, err := rabbitmq.Open(t.Context(), rabbitmq.Config{URL: "amqp://broker"})
	require.ErrorIs(t, err, messaging.ErrInvalid)
}
