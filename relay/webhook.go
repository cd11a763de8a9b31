package relay

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/executor"

	"github.com/google/uuid"
)

// Webhook posts events to URLs, signed as Standard Webhooks has it (https://www.standardwebhooks.com). Only Secrets
// must be set.
type Webhook struct {
	// Secrets returns the secrets of a subscription, each "whsec_" and base64 of 24 to 64 bytes. All of them sign,
	// so that one can be replaced by another. With own they are of this subscription only: a secret that other
	// subscriptions share would prove nothing about who made it.
	Secrets func(subscription string, own bool) ([]string, error)
	// Allow has networks that may be called although they are not public. Default: none.
	Allow []netip.Prefix
	// AllowHTTP lets URLs without TLS be called. Default: false.
	AllowHTTP bool
	// Timeout is how long one call may take in all. Default: 15 s.
	Timeout time.Duration
	// Parallel is how many tasks' events are posted at once. The events of one task follow each other. Default: 8.
	Parallel int
	// TLS configures connections, with authorities of your own for example. Default: the system's.
	TLS *tls.Config

	resolver *net.Resolver
	clock    func() time.Time
}

// Open opens the target of one subscription. It is an [Open].
func (w *Webhook) Open(_ context.Context, subscription string, target json.RawMessage) (Target, error) {
	var config struct {
		URL string
		Own bool `json:"own_secret"`
	}
	if err := json.Unmarshal(target, &config); err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	address, err := url.Parse(config.URL)
	if err != nil || address.Host == "" || address.User != nil {
		return nil, errors.New("the webhook's URL cannot be read")
	}
	if address.Scheme != "https" && (address.Scheme != "http" || !w.AllowHTTP) {
		return nil, fmt.Errorf("a webhook needs https, not %q", address.Scheme)
	}
	hook := &webhook{url: address.String(), parallel: max(w.Parallel, 0), clock: w.clock, taken: map[uuid.UUID]bool{}}
	if hook.parallel == 0 {
		hook.parallel = 8
	}
	if hook.clock == nil {
		hook.clock = time.Now
	}
	if w.Secrets == nil {
		return nil, errors.New("no secret to sign with")
	}
	secrets, err := w.Secrets(subscription, config.Own)
	if err != nil {
		return nil, err
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 || len(key) > 64 || !strings.HasPrefix(secret, "whsec_") {
			return nil, fmt.Errorf(`a secret of subscription %q is not "whsec_" and base64 of 24 to 64 bytes`, subscription)
		}
		hook.keys = append(hook.keys, key)
	}
	if len(hook.keys) == 0 {
		return nil, fmt.Errorf("subscription %q has no secret to sign with", subscription)
	}
	timeout := w.Timeout
	if timeout <= 0 {
		timeout = 15 * time.Second
	}
	tlsConfig := &tls.Config{MinVersion: tls.VersionTLS12}
	if w.TLS != nil {
		tlsConfig = w.TLS.Clone()
	}
	// The relay's own time-out ends a call. The time-out of the header would end it with another error.
	hook.client = &http.Client{
		Timeout: timeout,
		// A redirect is an answer that is not 2xx.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			// No Proxy: it would dial for us, and the check of addresses would be the proxy's.
			DialContext: dial(w.Allow, w.resolver), TLSClientConfig: tlsConfig, TLSHandshakeTimeout: 5 * time.Second,
			MaxResponseHeaderBytes: 16 << 10, DisableCompression: true,
			ForceAttemptHTTP2: true, MaxIdleConnsPerHost: hook.parallel, IdleConnTimeout: 30 * time.Second,
		},
	}
	return hook, nil
}

type webhook struct {
	url      string
	keys     [][]byte
	client   *http.Client
	parallel int
	clock    func() time.Time
	// taken are events that were posted after one that was not: they come again, and are not posted again.
	taken map[uuid.UUID]bool
}

func (h *webhook) fit(most time.Duration) (was, is time.Duration) {
	was = h.client.Timeout
	h.client.Timeout = min(was, most)
	return was, h.client.Timeout
}

func (h *webhook) Close() error {
	h.client.CloseIdleConnections()
	return nil
}

// Deliver posts the events of different tasks at once, and the events of one task one after the other. It begins no call that may not end
// before ctx does.
func (h *webhook) Deliver(ctx context.Context, events []executor.FeedEvent) (int, error) {
	tasks := map[uuid.UUID][]int{}
	var order []uuid.UUID
	for i, event := range events {
		if tasks[event.TaskUUID] == nil {
			order = append(order, event.TaskUUID)
		}
		tasks[event.TaskUUID] = append(tasks[event.TaskUUID], i)
	}
	failed := make([]error, len(events))
	var calls sync.WaitGroup
	places := make(chan struct{}, h.parallel)
	for _, task := range order {
		places <- struct{}{}
		calls.Go(func() {
			defer func() { <-places }()
			for n, i := range tasks[task] {
				if h.taken[events[i].EventUUID] {
					continue
				}
				if failed[i] = h.call(ctx, events[i]); failed[i] != nil {
					for _, later := range tasks[task][n+1:] {
						failed[later] = failed[i]
					}
					return
				}
			}
		})
	}
	calls.Wait()
	taken := map[uuid.UUID]bool{}
	defer func() { h.taken = taken }()
	for i, err := range failed {
		if err == nil {
			continue
		}
		for later, err := range failed[i:] {
			if err == nil {
				taken[events[i+later].EventUUID] = true
			}
		}
		return i, err
	}
	return len(events), nil
}

// call posts one event if ctx has time for it.
func (h *webhook) call(ctx context.Context, event executor.FeedEvent) error {
	if end, ends := ctx.Deadline(); ends && time.Until(end) < h.client.Timeout {
		return errLeaseEnds
	}
	return h.post(ctx, event)
}

// post sends one event, and returns nil if the answer is 2xx.
func (h *webhook) post(ctx context.Context, event executor.FeedEvent) error {
	body, err := bodyOf(event)
	if err != nil {
		return permanent(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	id, at := event.EventUUID.String(), strconv.FormatInt(h.clock().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "pgtasker-relay")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", at)
	request.Header.Set("webhook-signature", h.sign(id, at, body))
	response, err := h.client.Do(request)
	if err != nil {
		// The error of the client has the URL, whose query may be a secret.
		if inner := new(url.Error); errors.As(err, &inner) {
			err = inner.Err
		}
		return err
	}
	defer func() { _ = response.Body.Close() }()
	// A little of a longer answer is not worth a new connection.
	said, _ := io.ReadAll(io.LimitReader(response.Body, 512))
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("HTTP %d: %q", response.StatusCode, said)
	}
	return nil
}

// sign returns one signature for each key.
func (h *webhook) sign(id, at string, body []byte) string {
	signatures := make([]string, len(h.keys))
	for i, key := range h.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + at + "."))
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}
