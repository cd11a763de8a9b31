package ui

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// formCookie is the secret of forms for a person whom a proxy has signed in, since such a browser has no other secret.
const formCookie = "pgtasker_form"

type ambientKey struct{}

// recognised returns the request with the session of the person whom a proxy has signed in, if the proxy names a person.
// It returns nil if it has refused and answered the request.
func (u *UI) recognised(w http.ResponseWriter, r *http.Request) *http.Request {
	if u.config.Ambient == nil {
		return r
	}
	person, err := u.config.Ambient(r)
	if err != nil {
		u.fail(w, r, nil, err)
		return nil
	}
	if person == "" {
		return r
	}
	random := ""
	if cookie, err := r.Cookie(formCookie); err == nil {
		random = cookie.Value
	}
	if len(random) < 26 {
		random = rand.Text()
		setCookie(w, r, formCookie, random, sessionFor)
	}
	visitor := newSession(person+"\x00"+random, themeOf(r))
	visitor.token, visitor.ambient = person, true
	return r.WithContext(context.WithValue(r.Context(), ambientKey{}, visitor))
}

// signIn sends the browser to the identity provider.
func (u *UI) signIn(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("next")
	if !ours(next) {
		next = Root
	}
	to, err := u.config.SignIn.Begin(w, r, next, r.URL.Query().Get("again") != "")
	if err != nil {
		p := u.config.Describe(r, err)
		u.renderLogin(w, r, p.Status, &p)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// signedIn takes a person from the identity provider.
func (u *UI) signedIn(w http.ResponseWriter, r *http.Request) {
	next, err := u.config.SignIn.Finish(w, r)
	if err != nil {
		u.failSignIn(w, r, err)
		return
	}
	if !ours(next) {
		next = Root
	}
	setCookie(w, r, sessionCookie, "", 0) // A token of before does not come back after the session.
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// failSignIn shows why a person cannot sign in.
func (u *UI) failSignIn(w http.ResponseWriter, r *http.Request, err error) {
	p := u.config.Describe(r, err)
	if noAccess(p) {
		u.renderNoAccess(w, r, nil, p)
		return
	}
	u.renderLogin(w, r, p.Status, &p)
}

// noAccess says whether a problem is that no access map fits the person.
func noAccess(p Problem) bool {
	return p.Status == http.StatusForbidden && strings.Contains(p.Detail, "no access map fits")
}

// renderNoAccess says that the provider knows a person who has no access to pgtasker.
func (u *UI) renderNoAccess(w http.ResponseWriter, r *http.Request, s *session, p Problem) {
	who, _, _ := strings.Cut(strings.TrimPrefix(p.Detail, "person "), " has no access")
	v := view{Title: "No access", Theme: themeOf(r), SignIn: u.signInName(), Data: who}
	if s != nil {
		v.CSRF, v.Ambient = s.masked(), s.ambient
	}
	u.render(w, r, p.Status, "noaccess", v)
}

// renderAgain asks a person to sign in again, before an action that cannot be undone.
func (u *UI) renderAgain(w http.ResponseWriter, r *http.Request, s *session, p Problem) {
	v := u.view(r, s, Principal{}, time.Time{})
	v.Title, v.Problem = "Sign in again", &p
	v.Data = Root + "/sign-in?again=1&next=" + url.QueryEscape(r.URL.RequestURI())
	u.render(w, r, p.Status, "again", v)
}

// signInName is the identity provider's name for people. It is empty if there is no provider.
func (u *UI) signInName() string {
	if u.config.SignIn == nil {
		return ""
	}
	return u.config.SignIn.Name
}
