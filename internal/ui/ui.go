package ui

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Root is the path of the overview. All other paths of the page are below it.
const Root = "/ui"

// Config has the services of the server that mounts the page.
type Config struct {
	// Transact runs f in a transaction as the token. The transaction ends with f. If the token is not accepted, the
	// error is a *Problem with status 401, or 429 after too many attempts.
	Transact func(r *http.Request, token string, writes bool, f func(ctx context.Context, tx pgx.Tx) error) (Principal, error)
	// Describe returns the text of an error for people.
	Describe func(r *http.Request, err error) Problem
	// ReadOnly hides the actions, which the database would refuse.
	ReadOnly bool
	// SignIn lets people sign in at an identity provider. Default: nil. People log in with tokens.
	SignIn *SignIn
	// Ambient returns the secret for the person whom a proxy has signed in. It returns "" if the proxy names no person.
	// Default: nil.
	Ambient func(r *http.Request) (string, error)
}

// SignIn has the functions by which people sign in at an identity provider.
type SignIn struct {
	// Name is the provider's name for people, and Cookie the name of the cookie that holds the secret of a session.
	Name, Cookie string
	// Begin returns the address at which a person signs in. Afterwards the person goes to next. again asks for
	// another sign-in.
	Begin func(w http.ResponseWriter, r *http.Request, next string, again bool) (string, error)
	// Finish opens the session of a person who comes back, and returns the page to which the person wanted to go.
	Finish func(w http.ResponseWriter, r *http.Request) (next string, err error)
	// End ends the session with this secret. It returns the address at which the session is ended at the provider, or
	// "" if there is no such address.
	End func(w http.ResponseWriter, r *http.Request, token string) (string, error)
}

// Principal is the person that a request acts for.
type Principal struct {
	// Token is the token's name, or "person" and the person's name. Role is the role that the principal acts as.
	Token, Role string
}

// Name is the name to show: the token's name, or the person's name.
func (w Principal) Name() string { return strings.TrimPrefix(w.Token, "person ") }

// Person reports whether the principal is a person who has signed in.
func (w Principal) Person() bool { return strings.HasPrefix(w.Token, "person ") }

// Problem is an error with its text for a person.
type Problem struct {
	Status                              int
	Code, Detail, More, Hint, RequestID string
}

// Error returns the problem.
func (p *Problem) Error() string { return p.Detail }

// UI is the page.
type UI struct {
	config Config
	mux    *http.ServeMux
	origin *http.CrossOriginProtection
	live   *watchers
	loaded *loaded
	done   chan struct{}
	stop   sync.Once
}

// New returns the page.
func New(config Config) *UI {
	u := &UI{
		config: config,
		mux:    http.NewServeMux(),
		origin: http.NewCrossOriginProtection(),
		live:   newWatchers(),
		loaded: newLoaded(),
		done:   make(chan struct{}),
	}
	u.route()
	return u
}

// Close ends the streams of hints, so that a server can stop.
func (u *UI) Close() { u.stop.Do(func() { close(u.done) }) }

// Patterns are the patterns that a server routes to the page.
func (u *UI) Patterns() []string { return []string{Root, Root + "/"} }

// policy lets a page load its own style sheet and script, and nothing from other sites.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP answers a request.
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r = u.recognised(w, r); r != nil {
		u.mux.ServeHTTP(w, r)
	}
}

// route registers the screens and their assets.
func (u *UI) route() {
	u.mux.HandleFunc("GET "+Root+"/static/{hash}/{name}", static)
	u.mux.HandleFunc("GET "+Root+"/login", u.loginPage)
	u.mux.HandleFunc("POST "+Root+"/login", u.login)
	u.mux.HandleFunc("POST "+Root+"/logout", u.logout)
	u.mux.HandleFunc("POST "+Root+"/theme", u.theme)
	if u.config.SignIn != nil {
		u.mux.HandleFunc("GET "+Root+"/sign-in", u.signIn)
		u.mux.HandleFunc("GET "+Root+"/sign-in/callback", u.signedIn)
	}
	for path, s := range screens() {
		if s.sorts != "" {
			s.takes = append(slices.Clone(s.takes), "sort", "skip")
		}
		u.mux.Handle("GET "+Root+path, u.known(s.takes, u.screen(s)))
	}
	for path, a := range actions() {
		u.mux.Handle("GET "+Root+path, u.known(a.takes, u.ask(a)))
		u.mux.Handle("POST "+Root+path, u.known(a.takes, u.act(a)))
	}
	u.mux.Handle("GET "+Root+"/{$}", http.RedirectHandler(Root, http.StatusMovedPermanently))
	u.mux.HandleFunc(Root+"/", u.elsewhere)
}

// elsewhere answers for an unknown path.
func (u *UI) elsewhere(w http.ResponseWriter, r *http.Request) {
	u.fail(w, r, nil, &Problem{
		Status: http.StatusNotFound, Code: "TK404", Detail: "There is no such page.", Hint: "The menu lists the pages.",
	})
}

// day is a shorthand for sums.
const day = 24 * time.Hour
