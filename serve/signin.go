package serve

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/signin"
	"github.com/pgtasker/pgtasker/internal/ui"
)

// errRefreshDue says that the server must ask the provider for a session's claims before the session can continue.
var errRefreshDue = errors.New("the claims of the session are due")

// errUnknownBearer says that the server did not accept a token of the provider. The server counts such attempts.
var errUnknownBearer = errors.New("the token is not known")

const (
	// sessionPrefix is the beginning of the secret of a browser's session. No token of the database has both this beginning and
	// the length of such a secret.
	sessionPrefix = bearer.Prefix + "session_"
	// signInFor is the time in which a person must finish the sign-in at the provider.
	signInFor = 10 * time.Minute
	// callback is the path to which the provider sends browsers back.
	callback = ui.Root + "/sign-in/callback"
)

// sessionHash returns the hash of a text that may be the secret of a browser's session.
func sessionHash(given string) (secret, bool) {
	random, ok := strings.CutPrefix(given, sessionPrefix)
	if decoded, err := base64.RawURLEncoding.DecodeString(random); !ok || err != nil || len(decoded) != 32 {
		return secret{}, false
	}
	return sha256.Sum256([]byte(given)), true
}

// attemptOf derives all values of one sign-in from a secret that only the browser has.
func (s *Server) attemptOf(random string, again bool) signin.Attempt {
	derive := func(purpose string) string {
		mac := hmac.New(sha256.New, []byte(random))
		mac.Write([]byte(purpose))
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	purpose := "sign in"
	if again {
		purpose = "sign in again"
	}
	return signin.Attempt{
		State: derive(purpose + " state"), Nonce: derive("nonce"), Verifier: derive("verifier"), Redirect: s.config.PublicURL + callback, Again: again,
	}
}

// flowCookie returns the name of the cookie for a sign-in. Each tab has its own cookie.
func (s *Server) flowCookie(state string) string {
	return s.hostPrefix() + "pgtasker_sign_in_" + state[:min(12, len(state))]
}

// hostPrefix returns a prefix for the names of cookies. If browsers use TLS, the prefix keeps other hosts of the domain from
// setting the cookie.
func (s *Server) hostPrefix() string {
	if strings.HasPrefix(s.config.PublicURL, "https://") {
		return "__Host-"
	}
	return ""
}

func (s *Server) setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.hostPrefix() != "",
		SameSite: http.SameSiteLaxMode, // Browsers do not send a strict cookie when the provider sends them back.
	})
}

// sessionCookie is the name of the cookie that holds the secret of a session.
func (s *Server) sessionCookie() string { return s.hostPrefix() + "pgtasker_person" }

// beginSignIn returns the address at which the browser signs in.
func (s *Server) beginSignIn(w http.ResponseWriter, r *http.Request, next string, again bool) (string, error) {
	random := rand.Text()
	in := s.attemptOf(random, again)
	to, err := s.config.Provider.Begin(r.Context(), in)
	if err != nil {
		return "", s.toldOfProvider(r, err)
	}
	s.setCookie(w, s.flowCookie(in.State), random+"."+base64.RawURLEncoding.EncodeToString([]byte(next)), int(signInFor/time.Second))
	return to, nil
}

// finishSignIn opens the session of a person who comes back from the provider, and returns the page that the person wanted.
func (s *Server) finishSignIn(w http.ResponseWriter, r *http.Request) (next string, err error) {
	answer := r.URL.Query()
	state := answer.Get("state")
	name := s.flowCookie(state)
	kept, err := r.Cookie(name)
	if err != nil {
		return "", signInRefused("This browser has not begun this sign-in, or took too long for it.")
	}
	s.setCookie(w, name, "", -1)
	random, encoded, _ := strings.Cut(kept.Value, ".")
	wanted, _ := base64.RawURLEncoding.DecodeString(encoded)
	in, found := signin.Attempt{}, false
	for _, again := range []bool{false, true} {
		if possible := s.attemptOf(random, again); subtle.ConstantTimeCompare([]byte(possible.State), []byte(state)) == 1 {
			in, found = possible, true
		}
	}
	if !found || len(answer["state"]) != 1 {
		return "", signInRefused("The answer of the identity provider is not for this browser.")
	}
	person, err := s.config.Provider.Redeem(r.Context(), in, answer)
	if err != nil {
		return "", s.toldOfProvider(r, err)
	}
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // rand.Read never fails.
	token := sessionPrefix + base64.RawURLEncoding.EncodeToString(fresh)
	hash, _ := sessionHash(token)
	used := sha256.Sum256([]byte("sign-in " + state))
	sealed, err := seal(token, person.Tokens)
	if err != nil {
		return "", err
	}
	err = s.bookkeep(r.Context(), func(ctx context.Context, e *direct.Executor) error {
		if _, err := e.OpenSession(ctx, sqlfn.OpenSessionParams{
			TokenHash: hash[:], SignInHash: used[:], Claims: person.Claims, SignedInAt: orLongAgo(person.SignedInAt), Renewable: person.Renewable, Sealed: sealed,
		}); err != nil {
			return err
		}
		// End the former session of this browser. An attacker may have planted its cookie.
		if before, err := r.Cookie(s.sessionCookie()); err == nil {
			if old, ok := sessionHash(before.Value); ok {
				_, err := e.SignOut(ctx, old[:])
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	s.setCookie(w, s.sessionCookie(), token, 0)
	return string(wanted), nil
}

// orLongAgo returns the given time. If the provider has not reported a time, it returns a time that is before every bound.
func orLongAgo(at time.Time) time.Time {
	if at.IsZero() {
		return time.Unix(0, 0)
	}
	return at
}

// signOut ends the session at this server, and returns the address at which the browser ends the session at the provider.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request, token string) (to string, err error) {
	hash, ok := sessionHash(token)
	if !ok {
		return "", nil
	}
	s.setCookie(w, s.sessionCookie(), "", -1)
	var sealed []byte
	err = s.bookkeep(r.Context(), func(ctx context.Context, e *direct.Executor) (err error) {
		if sealed, err = e.SealedSession(ctx, hash[:]); err != nil {
			return err
		}
		_, err = e.SignOut(ctx, hash[:])
		return err
	})
	if err != nil {
		return "", err
	}
	tokens, err := unseal(token, sealed)
	if err != nil {
		return "", nil // The session had ended before, or it belongs to another browser. In both cases this browser has no session.
	}
	return s.config.Provider.End(r.Context(), tokens, s.config.PublicURL+ui.Root+"/login"), nil
}

// refresh asks the provider for the claims of a session if they are due and no other request is already asking.
func (s *Server) refresh(ctx context.Context, c *caller) error {
	var (
		first  bool
		sealed []byte
	)
	err := s.bookkeep(ctx, func(ctx context.Context, e *direct.Executor) (err error) {
		if first, err = e.RefreshSession(ctx, c.secret[:], nil, nil); err != nil || !first {
			return err
		}
		sealed, err = e.SealedSession(ctx, c.secret[:])
		return err
	})
	if err != nil || !first {
		return err
	}
	tokens, err := unseal(c.sessionToken, sealed)
	if err != nil {
		return err
	}
	// Keep the provider's answer even if the browser has gone, since the provider may give it only once.
	ctx = context.WithoutCancel(ctx)
	person, err := s.config.Provider.Refresh(ctx, tokens)
	switch {
	case errors.Is(err, signin.ErrSignedOut), errors.Is(err, signin.ErrRefused):
		s.config.Logger.InfoContext(ctx, "the identity provider has ended a session", "error", err)
		return s.bookkeep(ctx, func(ctx context.Context, e *direct.Executor) error {
			_, err := e.SignOut(ctx, c.secret[:])
			return err
		})
	case err != nil:
		s.config.Logger.WarnContext(ctx, "the identity provider did not say what a person may do; the session goes on", "error", err)
		return nil
	}
	if sealed, err = seal(c.sessionToken, person.Tokens); err != nil {
		return err
	}
	return s.bookkeep(ctx, func(ctx context.Context, e *direct.Executor) error {
		_, err := e.RefreshSession(ctx, c.secret[:], person.Claims, sealed)
		return err
	})
}

// admit opens the session of a token of the provider that the database does not know yet.
func (s *Server) admit(ctx context.Context, c *caller) error {
	person, err := s.config.Provider.Verify(ctx, c.bearer)
	switch {
	case errors.Is(err, signin.ErrAway):
		s.config.Logger.WarnContext(ctx, "a token could not be verified", "error", err)
		return unavailable(signin.ErrAway.Error())
	case err != nil:
		s.config.Logger.DebugContext(ctx, "a token was refused", "error", err)
		return errors.Join(errUnknownBearer, &problemBody{
			Status: http.StatusUnauthorized, Code: "TK401", Detail: "the token of the identity provider is not valid",
			Hint: "Get another from the provider, for the audience of this server.",
		})
	}
	// Use only the signed part of the token: the same signature can be written in more than one way.
	signed := c.bearer[:strings.LastIndexByte(c.bearer, '.')]
	used := sha256.Sum256([]byte("bearer " + signed))
	err = s.bookkeep(ctx, func(ctx context.Context, e *direct.Executor) error {
		_, err := e.OpenSession(ctx, sqlfn.OpenSessionParams{
			TokenHash: c.secret[:], SignInHash: used[:], Claims: person.Claims, SignedInAt: orLongAgo(person.SignedInAt), Until: person.ExpiresAt,
		})
		return err
	})
	if errors.Is(err, executor.ErrConflict) && s.lookUp(ctx, c) == nil {
		return nil // Another request has opened the session.
	}
	return err
}

// touch records that a person uses a session. Automatic reloads of pages do not count.
func (s *Server) touch(r *http.Request, c *caller) {
	mode := r.Header.Get("Sec-Fetch-Mode")
	if !c.touchDue || (r.Method == http.MethodGet && mode != "" && mode != "navigate") || r.Header.Get("Accept") == "text/event-stream" {
		return
	}
	err := s.bookkeep(r.Context(), func(ctx context.Context, e *direct.Executor) error {
		_, err := e.TouchSession(ctx, c.secret[:])
		return err
	})
	if err != nil && r.Context().Err() == nil {
		s.config.Logger.WarnContext(r.Context(), "the use of a session was not noted", "error", err)
	}
}

// bookkeep runs f in a transaction that can write. It does so even if the server is read-only, since the rows of sessions are
// the server's own data.
func (s *Server) bookkeep(ctx context.Context, f func(ctx context.Context, e *direct.Executor) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{BeginQuery: beginWriting}, func(tx pgx.Tx) error { return f(ctx, direct.New(tx)) })
}

// toldOfProvider returns the error that a person sees after an error of the provider. It writes the details to the log.
func (s *Server) toldOfProvider(r *http.Request, err error) error {
	s.config.Logger.WarnContext(r.Context(), "a sign-in failed", "request_id", requestID(r), "error", err)
	if errors.Is(err, signin.ErrAway) {
		return &ui.Problem{
			Status: http.StatusServiceUnavailable, Code: "HTTP503", Detail: s.config.Provider.Name() + " does not answer.",
			Hint: "Try again in a moment. People who are signed in work on.",
		}
	}
	return signInRefused("The answer of " + s.config.Provider.Name() + " was not accepted.")
}

func signInRefused(detail string) *ui.Problem {
	return &ui.Problem{Status: http.StatusForbidden, Code: "TK403", Detail: detail, Hint: "Sign in again. If it fails again, the server's log says why."}
}

// seal encrypts the provider's tokens with a key that is derived from the browser's secret, so that the stored tokens alone are useless.
func seal(token string, plain []byte) ([]byte, error) {
	if plain == nil {
		return nil, nil
	}
	box, err := sealing(token)
	if err != nil {
		return nil, err
	}
	return box.Seal(nil, nil, plain, nil), nil
}

func unseal(token string, sealed []byte) ([]byte, error) {
	box, err := sealing(token)
	if err != nil {
		return nil, err
	}
	return box.Open(nil, nil, sealed, nil)
}

func sealing(token string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(token), nil, "pgtasker: tokens of the identity provider", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
