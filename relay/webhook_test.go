package relay

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgtasker/pgtasker/executor"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func secrets(string, bool) ([]string, error) { return []string{secret}, nil }

// open opens a webhook that may call this machine; change changes its settings.
func open(t *testing.T, url string, change func(*Webhook)) Target {
	t.Helper()
	config := &Webhook{Secrets: secrets, Allow: loopback, AllowHTTP: true}
	if change != nil {
		change(config)
	}
	target, err := config.Open(t.Context(), "s", json.RawMessage(fmt.Sprintf(`{"url": %q}`, url)))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, target.Close()) })
	return target
}

func someEvents(tasks, each int) (events []executor.FeedEvent) {
	for n := range each {
		for task := range tasks {
			id := uuid.UUID{15: byte(task + 1)}
			events = append(events, executor.FeedEvent{
				Place: "1 1 x 1 1", EventUUID: uuid.New(), Kind: "task", Event: "StepsEnqueued", TaskUUID: id, SortKey: int32(n),
				Namespace: "shop", TaskName: "sale", Metadata: json.RawMessage(`{"count": 1}`), ToState: "steps_in_process",
				HappenedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
			})
		}
	}
	return events
}

func TestWebhook_SignsAsStandardWebhooksSays(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
		want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		var event struct {
			Type, Timestamp string
			Data            map[string]any
		}
		_ = json.Unmarshal(body, &event)
		_, place := event.Data["place"]
		if r.Header.Get("webhook-signature") != want || event.Type != "task.steps_enqueued" || event.Timestamp != "2026-03-01T12:00:00.000000Z" ||
			event.Data["event_uuid"] != r.Header.Get("webhook-id") || place {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	n, err := open(t, server.URL, nil).Deliver(t.Context(), someEvents(1, 1))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestWebhook_SignsWithEachSecret(t *testing.T) {
	t.Parallel()
	h := &webhook{keys: [][]byte{[]byte("a"), []byte("b")}}
	got := strings.Split(h.sign("id", "1", []byte("{}")), " ")
	require.Len(t, got, 2)
	require.NotEqual(t, got[0], got[1])
}

func TestWebhook_KeepsTheOrderOfATask(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	last := map[string]float64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var event struct {
			Data struct {
				TaskUUID string  `json:"task_uuid"`
				SortKey  float64 `json:"sort_key"`
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&event)
		lock.Lock()
		defer lock.Unlock()
		if event.Data.SortKey != last[event.Data.TaskUUID] {
			w.WriteHeader(http.StatusConflict)
		}
		last[event.Data.TaskUUID]++
	}))
	defer server.Close()
	n, err := open(t, server.URL, nil).Deliver(t.Context(), someEvents(5, 10))
	require.NoError(t, err)
	require.Equal(t, 50, n)
}

func TestWebhook_SaysHowManyWereDelivered(t *testing.T) {
	t.Parallel()
	events := someEvents(3, 4)
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if r.Header.Get("webhook-id") == events[4].EventUUID.String() {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "out of order")
		}
	}))
	defer server.Close()
	n, err := open(t, server.URL, nil).Deliver(t.Context(), events)
	require.EqualError(t, err, `HTTP 500: "out of order"`)
	require.Equal(t, 4, n)
	require.EqualValues(t, 10, calls.Load(), "later events of the failed task are not sent")
}

func TestWebhook_LimitsHostileServers(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer inner.Close()
	for name, hostile := range map[string]http.HandlerFunc{
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inner.URL, http.StatusTemporaryRedirect)
		},
		"redirects for ever":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) },
		"says nothing":            func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() },
		"sends endless headers":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) },
		"breaks the connection":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"answers 500 for ever":    endless(http.StatusInternalServerError, stop),
		"answers 200 for ever":    endless(http.StatusOK, stop), // accepted, and the rest of the answer is not read
		"switches the protocol":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusSwitchingProtocols) },
		"sends what is no HTTP":   raw("\x00\xff\x00 hello"),
		"sends half an answer":    raw("HTTP/1.1 200 OK\r\nContent-Length: 10"),
		"answers with a bad code": raw("HTTP/1.1 20000 OK\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(hostile)
			defer server.Close()
			defer server.CloseClientConnections()
			accepted := name == "answers 200 for ever"
			target := open(t, server.URL, func(w *Webhook) {
				if !accepted {
					w.Timeout = 300 * time.Millisecond
				}
			})
			n, err := target.Deliver(t.Context(), someEvents(1, 1))
			if accepted {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			require.Zero(t, n)
			require.Less(t, len(err.Error()), 3000)
			require.NotContains(t, err.Error(), server.URL, "the address may hold a secret")
		})
	}
	t.Cleanup(func() { close(stop) })
}

func endless(status int, stop <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		for {
			select {
			case <-stop:
				return
			case <-r.Context().Done():
				return
			default:
				if _, err := w.Write([]byte(strings.Repeat("x", 4096))); err != nil {
					return
				}
			}
		}
	}
}

func raw(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}
}

func TestWebhook_CallsPublicAddressesOnly(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was called") }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]", "127.1.2.3"} {
		target := open(t, "http://"+net.JoinHostPort(strings.Trim(host, "[]"), port), func(w *Webhook) { w.Allow = nil })
		_, err := target.Deliver(t.Context(), someEvents(1, 1))
		require.ErrorContains(t, err, "is not public, and not allowed", host)
	}
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"} {
		require.True(t, public(netip.MustParseAddr(address)), address)
	}
	for _, address := range []string{
		"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.1.1", "0.0.0.0", "0.1.2.3", "224.0.0.1",
		"255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.0.8", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1",
		"::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "fec0::1",
	} {
		require.False(t, public(netip.MustParseAddr(address)), address)
	}
}

// The name resolves to a public address first, and to this machine the second time.
func TestWebhook_ChecksTheAddressThatItDials(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was called") }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	resolver := &net.Resolver{PreferGo: true, Dial: nameServer(t, [4]byte{127, 0, 0, 2}, [4]byte{127, 0, 0, 1})}
	target := open(t, "http://rebind.example:"+port, func(w *Webhook) {
		// The first address stands for a public one. Nothing listens there.
		w.Allow, w.resolver = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, resolver
	})
	_, err = target.Deliver(t.Context(), someEvents(1, 1))
	require.ErrorContains(t, err, "dial tcp 127.0.0.2:"+port)
	require.NotContains(t, err.Error(), "not allowed")
	require.Equal(t, "connect: connection refused", told(err), "a subscription does not keep the address")
	_, err = target.Deliver(t.Context(), someEvents(1, 1))
	require.ErrorContains(t, err, "address 127.0.0.1 is not public, and not allowed")
	require.Equal(t, "the address of the host is not public, and not allowed", told(err))
}

func TestWebhook_ASubscriptionKeepsNoAddressOfANameServer(t *testing.T) {
	t.Parallel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Addr: &net.UDPAddr{IP: net.IPv4(10, 255, 255, 53), Port: 53}, Err: errors.New("no way")}
	}}
	target := open(t, "http://away.example", func(w *Webhook) { w.resolver = resolver })
	_, err := target.Deliver(t.Context(), someEvents(1, 1))
	require.ErrorContains(t, err, "10.255.255.53", "the log has it")
	require.NotContains(t, told(err), "10.255")
	require.Contains(t, told(err), "the name of the host does not resolve")
}

func TestWebhook_MayHaveOnlyASecretOfItsOwn(t *testing.T) {
	t.Parallel()
	asked := map[bool]int{}
	config := &Webhook{Secrets: func(_ string, own bool) ([]string, error) { asked[own]++; return []string{secret}, nil }}
	for _, target := range []string{`{"url": "https://example.org"}`, `{"url": "https://example.org", "own_secret": true}`} {
		target, err := config.Open(t.Context(), "s", json.RawMessage(target))
		require.NoError(t, err)
		require.NoError(t, target.Close())
	}
	require.Equal(t, map[bool]int{false: 1, true: 1}, asked)
}

// nameServer answers each question for an IPv4 address with the next of these addresses, and after that with the last.
func nameServer(t *testing.T, addresses ...[4]byte) func(ctx context.Context, network, address string) (net.Conn, error) {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 512)
		asked := 0
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			// The question ends behind its name, type and class.
			end := 12
			for end < n && buffer[end] != 0 {
				end += int(buffer[end]) + 1
			}
			kind := binary.BigEndian.Uint16(buffer[end+1:])
			answer := append([]byte{}, buffer[:end+5]...)
			copy(answer[2:], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0})
			if kind == 1 {
				address := addresses[min(asked, len(addresses)-1)]
				asked++
				answer[7] = 1
				answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				answer = append(answer, address[:]...)
			}
			_, _ = conn.WriteTo(answer, from)
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}
}

func TestWebhook_RefusesWhatItCannotCallSafely(t *testing.T) {
	t.Parallel()
	for target, config := range map[string]Webhook{
		`{"url": "http://example.org"}`:      {Secrets: secrets},
		`{"url": "https://a:b@example.org"}`: {Secrets: secrets},
		`{"url": "https://"}`:                {Secrets: secrets},
		`{"url": "file:///etc/passwd"}`:      {Secrets: secrets, AllowHTTP: true},
		`{"url": "https://example.org"}`:     {},
		`{"url": "https://example.org/1"}`:   {Secrets: func(string, bool) ([]string, error) { return nil, nil }},
		`{"url": "https://example.org/2"}`:   {Secrets: func(string, bool) ([]string, error) { return []string{"whsec_c2hvcnQ="}, nil }},
		`{"url": "https://example.org/3"}`:   {Secrets: func(string, bool) ([]string, error) { return []string{strings.TrimPrefix(secret, "whsec_")}, nil }},
		`[]`:                                 {Secrets: secrets},
	} {
		_, err := config.Open(t.Context(), "s", json.RawMessage(target))
		require.Error(t, err, target)
		require.NotContains(t, err.Error(), "c2hvcnQ")
	}
}
