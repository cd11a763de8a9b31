package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/nearest"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// screen is one page for people.
type screen struct {
	// section is the screen's entry of the menu, and template is the template that renders the screen.
	section, template string
	// takes are the parameters of the screen's address. Any other parameter is refused.
	takes []string
	// sorts is the SQL function of the screen's list, if its column heads sort it. natural is the order of the function.
	sorts, natural string
	// load reads the screen's data.
	load func(ctx context.Context, q *query) (page, error)
	// mark returns a value that changes when the screen does. It should be cheap to read. Default: the Data of load.
	mark func(ctx context.Context, q *query) (any, error)
	// timed says that mark needs the database's time, which costs a round trip.
	timed bool
	// fresh is the greatest age of loaded data for the same token and address, so that many browsers cost as much as
	// one. Default: data is loaded for each request.
	fresh time.Duration
}

// page is the data of a screen.
type page struct {
	title string
	data  any
	// goTo is the path of another page to go to instead.
	goTo string
	// still says that nothing changes by itself.
	still bool
}

// query is the request of a screen, in its transaction.
type query struct {
	*executor.SqlFunctionExecutor
	tx  pgx.Tx
	r   *http.Request
	ui  *UI
	now time.Time
	key string
	// order is the order of the screen's list.
	order sorting
}

// begin returns the query of a request, with the database's time.
func (u *UI) begin(ctx context.Context, r *http.Request, tx pgx.Tx, s *session) (*query, error) {
	q := u.query(r, tx, s)
	var err error
	q.now, err = q.Clock(ctx)
	return q, err
}

// query returns the query of a request, without a time.
func (u *UI) query(r *http.Request, tx pgx.Tx, s *session) *query {
	return &query{SqlFunctionExecutor: reading(tx), tx: tx, r: r, ui: u, key: s.token}
}

// reading returns an executor for people: an encrypted error in a text says which key encrypted it.
func reading(db executor.DBTX) *executor.SqlFunctionExecutor {
	return executor.New(seal.Rows{DB: db, Text: func(_ context.Context, text *string) { *text = seal.ShownErrors(*text, "") }})
}

// value returns a parameter of the query, nil if it is empty.
func (q *query) value(name string) *string {
	text := strings.TrimSpace(q.r.URL.Query().Get(name))
	if text == "" {
		return nil
	}
	return &text
}

// part runs f so that a refusal of f leaves the rest of the page. A problem is shown in place of data that the token
// may not see, or that a bound of the database ends. Other errors end the page.
func (q *query) part(ctx context.Context, f func(e *executor.SqlFunctionExecutor) error) (*Problem, error) {
	savepoint, err := q.tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	err = f(reading(savepoint))
	if err == nil {
		return nil, savepoint.Commit(ctx)
	}
	if rollback := savepoint.Rollback(ctx); rollback != nil {
		return nil, errors.Join(err, rollback)
	}
	p := q.ui.config.Describe(q.r, err)
	if p.Status == http.StatusForbidden || p.Status == http.StatusUnprocessableEntity {
		return &p, nil
	}
	return nil, err
}

// known refuses an address with a parameter that the page does not take. Ignoring a filter would widen the page's data, or
// the set of its action.
func (u *UI) known(takes []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := u.sessionOf(r)
		given, err := url.ParseQuery(r.URL.RawQuery)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if err == nil && !slices.Contains(takes, name) {
				err = unknownParameter(name, takes)
			}
		}
		if err == nil || visitor == nil {
			next.ServeHTTP(w, r)
			return
		}
		var p *Problem
		if !errors.As(err, &p) {
			p = invalid("The parameters of the address cannot be read.", "Go back, and follow the link again.")
		}
		u.fail(w, r, visitor, p)
	})
}

func unknownParameter(name string, takes []string) *Problem {
	hint := "It takes no parameters."
	if len(takes) > 0 {
		hint = "It takes " + strings.Join(takes, ", ") + "."
	}
	if likely := nearest.Name(name, takes); likely != "" {
		hint = "Did you mean " + likely + "? " + hint
	}
	return invalid("The page has no parameter "+strconv.Quote(cut(name, 60))+".", hint)
}

// screen answers requests for a screen, or for hints of its changes.
func (u *UI) screen(s screen) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := u.sessionOf(r)
		if visitor == nil {
			u.toLogin(w, r)
			return
		}
		if r.Header.Get("Accept") == "text/event-stream" {
			u.stream(w, r, s, visitor)
			return
		}
		var (
			shown page
			now   time.Time
			mark  string
		)
		who, err := u.config.Transact(r, visitor.token, false, func(ctx context.Context, tx pgx.Tx) error {
			q, err := u.begin(ctx, r, tx, visitor)
			if err != nil {
				return err
			}
			now = q.now
			// The mark is read first, so that a later change shows as a change.
			if s.mark != nil {
				if mark, err = u.markOf(ctx, s, q); err != nil {
					return err
				}
			}
			if shown, err = u.load(ctx, s, q); err != nil {
				return err
			}
			if s.mark == nil && !shown.still {
				mark = hash(shown.data)
			}
			return nil
		})
		if err != nil {
			u.fail(w, r, visitor, err)
			return
		}
		if shown.goTo != "" {
			http.Redirect(w, r, shown.goTo, http.StatusSeeOther)
			return
		}
		v := u.view(r, visitor, who, now)
		v.Order, _ = s.sortingOf(r.URL.Query()) // The list was loaded in this order.
		v.Title, v.Section, v.Data, v.Mark, v.Note = shown.title, s.section, shown.data, mark, takeNote(w, r)
		v.Part = r.Header.Get("X-Part") != ""
		u.render(w, r, http.StatusOK, s.template, v)
	})
}

// load returns the data of a screen, or the data that another request has just loaded. The token was checked before.
func (u *UI) load(ctx context.Context, s screen, q *query) (page, error) {
	var err error
	if q.order, err = s.sortingOf(q.r.URL.Query()); err != nil {
		return page{}, err
	}
	if s.fresh == 0 {
		return s.load(ctx, q)
	}
	key := sha256.Sum256([]byte(q.key + "\x00" + q.r.URL.RequestURI()))
	return u.loaded.get(key, q.now, s.fresh, func() (page, error) { return s.load(ctx, q) })
}

// markOf returns the mark of a screen.
func (u *UI) markOf(ctx context.Context, s screen, q *query) (string, error) {
	if s.mark != nil {
		mark, err := s.mark(ctx, q)
		return hash(mark), err
	}
	shown, err := u.load(ctx, s, q)
	if err == nil && shown.still {
		return "", errStill
	}
	return hash(shown.data), err
}

// errStill ends the stream of a screen that never changes by itself.
var errStill = errors.New("the screen does not change by itself")

// marked lets data leave out of its mark values that change by themselves, such as ages.
type marked interface{ mark() any }

func hash(v any) string {
	if m, ok := v.(marked); ok {
		v = m.mark()
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// view is the data of the layout around a page.
type view struct {
	Title, Section, Theme, CSRF, Path, Mark string
	// SignIn is the name of the identity provider. Ambient says whether a proxy has signed the person in.
	SignIn  string
	Ambient bool
	// Part leaves out the parts that the script does not replace: the head, the menu and the symbols.
	Part bool
	// Retry says that the page tries again by itself, because the server or its database does not answer.
	Retry    bool
	Who      Principal
	ReadOnly bool
	Now      time.Time
	// Order is the order of the screen's list.
	Order   sorting
	Note    *Note
	Problem *Problem
	Data    any
}

func (u *UI) view(r *http.Request, s *session, who Principal, now time.Time) view {
	return view{Theme: s.theme, CSRF: s.masked(), SignIn: u.signInName(), Ambient: s.ambient, Path: r.URL.RequestURI(), Who: who, ReadOnly: u.config.ReadOnly, Now: now}
}

// May is whether the page offers an action to the token. The database decides whether it is allowed.
func (v view) May(action string) bool {
	if v.ReadOnly {
		return false
	}
	switch v.Who.Role {
	case "tasker_reader", "tasker_worker":
		return false
	case "tasker_orchestrator":
		return !slices.Contains([]string{"mass", "limit", "setting", "acknowledge", "partition", "erase"}, action)
	case "tasker_submitter":
		return action == "cancel" || action == "signal" || action == "emit" || action == "start"
	}
	return true
}

// render writes a page. If rendering fails, it writes no part of the page.
func (u *UI) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, name, v); err != nil {
		http.Error(w, "the page cannot be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	content := body.Bytes()
	if takesGzip(w, r) {
		content = gzipped(content)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(content))) // The script counts what it reads.
	w.WriteHeader(status)
	_, _ = w.Write(content) // The browser may be gone.
}

// fail shows an error as a page. Without a session, or after the end of the session, the page is the login.
func (u *UI) fail(w http.ResponseWriter, r *http.Request, s *session, err error) {
	p := u.config.Describe(r, err)
	switch {
	case p.Status == http.StatusUnauthorized && r.Header.Get("X-Part") != "":
		w.WriteHeader(p.Status) // The page is loaded again, and says why.
		return
	case p.Status == http.StatusUnauthorized:
		setCookie(w, r, sessionCookie, "", 0)
		u.renderLogin(w, r, p.Status, &p)
		return
	case noAccess(p):
		u.renderNoAccess(w, r, s, p)
		return
	case p.Status == http.StatusPreconditionRequired && s != nil && u.config.SignIn != nil:
		u.renderAgain(w, r, s, p)
		return
	}
	v := view{Theme: themeOf(r)}
	if s != nil {
		v = u.view(r, s, Principal{}, time.Time{})
	}
	v.Title, v.Problem = http.StatusText(p.Status), &p
	if p.Status >= http.StatusInternalServerError && r.Method == http.MethodGet {
		v.Title, v.Retry = "No answer", true
	}
	u.render(w, r, p.Status, "error", v)
}

// toLogin asks for a token, and returns to the page afterwards.
func (u *UI) toLogin(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") == "text/event-stream" {
		w.WriteHeader(http.StatusNoContent) // An EventSource does not come back after that.
		return
	}
	to := Root + "/login"
	if r.Method == http.MethodGet && r.URL.RequestURI() != Root {
		to += "?next=" + url.QueryEscape(r.URL.RequestURI())
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}
