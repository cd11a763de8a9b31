package ui

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// The cookies. All except the theme are lost with the browser's session or earlier.
const (
	sessionCookie = "pgtasker_session"
	themeCookie   = "pgtasker_theme"
	noteCookie    = "pgtasker_note"
)

// sessionFor is how long a browser stays logged in. The token may end earlier.
const sessionFor = 12 * time.Hour

// maxForm is the largest size of a form in bytes. Results that are entered by hand are the largest forms.
const maxForm = 2 << 20

// session is a browser that is logged in.
type session struct {
	token string
	csrf  string
	theme string
	// ambient says whether a proxy has signed the person in.
	ambient bool
}

// newSession derives the secret of forms from the token. The secret proves that a form's page was made for this session,
// and does not disclose the token.
func newSession(token, theme string) *session {
	sum := sha256.Sum256([]byte("pgtasker csrf\x00" + token))
	return &session{token: token, csrf: string(sum[:]), theme: theme}
}

// sessionOf returns the session of a request, or nil. It is the session of a person whom a proxy or the identity provider has
// signed in, or the session of a token.
func (u *UI) sessionOf(r *http.Request) *session {
	if known, ok := r.Context().Value(ambientKey{}).(*session); ok {
		return known
	}
	if u.config.SignIn != nil {
		if cookie, err := r.Cookie(u.config.SignIn.Cookie); err == nil && cookie.Value != "" {
			return newSession(cookie.Value, themeOf(r))
		}
	}
	cookie, err := r.Cookie(sessionCookie)
	if err != nil || cookie.Value == "" {
		return nil
	}
	return newSession(cookie.Value, themeOf(r))
}

// accepts says whether a form was made for this session.
func (s *session) accepts(form url.Values) bool {
	given, err := base64.RawURLEncoding.DecodeString(form.Get("csrf"))
	if err != nil || len(given) != 2*sha256.Size {
		return false
	}
	subtle.XORBytes(given, given[:sha256.Size], given[sha256.Size:])
	return subtle.ConstantTimeCompare([]byte(s.csrf), given[:sha256.Size]) == 1
}

// masked returns the token for forms, in a form that differs each time, so that the length of a compressed page
// discloses nothing about the token.
func (s *session) masked() string {
	text := make([]byte, 2*sha256.Size)
	_, _ = rand.Read(text) // It never fails.
	subtle.XORBytes(text[sha256.Size:], text, []byte(s.csrf))
	return base64.RawURLEncoding.EncodeToString(text)
}

// setCookie sets a cookie that scripts cannot read and that requests from other sites do not carry.
func setCookie(w http.ResponseWriter, r *http.Request, name, value string, lasts time.Duration) {
	age := int(lasts / time.Second)
	if value == "" {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: Root, MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure(r),
	})
}

// secure says whether the browser uses TLS, to this server or to a proxy that reports it.
func secure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// loginPage shows the form for a token.
func (u *UI) loginPage(w http.ResponseWriter, r *http.Request) {
	u.renderLogin(w, r, http.StatusOK, nil)
}

func (u *UI) renderLogin(w http.ResponseWriter, r *http.Request, status int, p *Problem) {
	next := r.FormValue("next")
	if !ours(next) {
		next = Root
	}
	u.render(w, r, status, "login", view{Title: "Log in", Theme: themeOf(r), Problem: p, SignIn: u.signInName(), Data: next})
}

// ours says whether a path belongs to the page, so that a login leads to no other site.
func ours(path string) bool {
	return path == Root || strings.HasPrefix(path, Root+"/") || strings.HasPrefix(path, Root+"?")
}

// login opens a session for a token that the database accepts.
func (u *UI) login(w http.ResponseWriter, r *http.Request) {
	if p := u.readForm(w, r); p != nil {
		u.renderLogin(w, r, p.Status, p)
		return
	}
	token := strings.TrimSpace(r.PostForm.Get("token"))
	if _, err := u.config.Transact(r, token, false, func(context.Context, pgx.Tx) error { return nil }); err != nil {
		p := u.config.Describe(r, err)
		u.renderLogin(w, r, p.Status, &p)
		return
	}
	setCookie(w, r, sessionCookie, token, sessionFor)
	next := r.PostForm.Get("next")
	if !ours(next) {
		next = Root
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// logout ends the session of this browser.
func (u *UI) logout(w http.ResponseWriter, r *http.Request) {
	if p := u.readForm(w, r); p != nil {
		u.fail(w, r, u.sessionOf(r), p)
		return
	}
	visitor := u.sessionOf(r)
	if visitor != nil && !visitor.accepts(r.PostForm) {
		u.fail(w, r, visitor, foreignForm())
		return
	}
	setCookie(w, r, sessionCookie, "", 0)
	if visitor == nil || u.config.SignIn == nil {
		http.Redirect(w, r, Root+"/login", http.StatusSeeOther)
		return
	}
	to, err := u.config.SignIn.End(w, r, visitor.token)
	switch {
	case err != nil:
		u.fail(w, r, visitor, err)
	case to == "":
		http.Redirect(w, r, Root+"/login", http.StatusSeeOther)
	default:
		// A form may not lead to another site, a page may.
		u.render(w, r, http.StatusOK, "signedout", view{Title: "Signed out", Theme: themeOf(r), SignIn: u.signInName(), Data: to})
	}
}

// foreignForm is the answer to a form that was not made for this session.
func foreignForm() *Problem {
	return &Problem{
		Status: http.StatusForbidden, Code: "TK403", Detail: "The form does not belong to this session; nothing was changed.",
		Hint: "Go back, load the page again, and repeat it.",
	}
}

// readForm reads the form of a POST, which must come from a page of this site.
func (u *UI) readForm(w http.ResponseWriter, r *http.Request) *Problem {
	if err := u.origin.Check(r); err != nil {
		return &Problem{Status: http.StatusForbidden, Code: "TK403", Detail: "The form was sent from another site.", Hint: "Open the page here and repeat it."}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return &Problem{Status: http.StatusBadRequest, Code: "HTTP400", Detail: "The form cannot be read.", Hint: "A form has at most 2 MiB."}
	}
	return nil
}

// The themes: the system's preference, unless one is chosen.
var themes = []string{"auto", "light", "dark"}

func themeOf(r *http.Request) string {
	cookie, err := r.Cookie(themeCookie)
	if err != nil || (cookie.Value != "light" && cookie.Value != "dark") {
		return "auto"
	}
	return cookie.Value
}

// theme changes to the theme that the form names, and returns to the page of the form.
func (u *UI) theme(w http.ResponseWriter, r *http.Request) {
	if p := u.readForm(w, r); p != nil {
		u.fail(w, r, u.sessionOf(r), p)
		return
	}
	chosen := "auto"
	for _, theme := range themes {
		if r.PostForm.Get("theme") == theme {
			chosen = theme
		}
	}
	setCookie(w, r, themeCookie, chosen, 365*day)
	back := r.PostForm.Get("back")
	if !ours(back) {
		back = Root
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// Note is the answer to an action, shown once on the page that follows it.
type Note struct {
	// Done says whether something was changed.
	Done  bool     `json:"d"`
	Text  string   `json:"t"`
	Lines []string `json:"l,omitempty"`
	// To is the page that shows the note, if it is not the page that offered the action.
	To string `json:"-"`
}

// leaveNote keeps a note for the next page.
func leaveNote(w http.ResponseWriter, r *http.Request, n Note) {
	const most = 12
	if more := len(n.Lines) - most; more > 0 {
		n.Lines = append(n.Lines[:most:most], count(more, "more"))
	}
	text, err := json.Marshal(n)
	if err != nil || len(text) > 2500 {
		text, _ = json.Marshal(Note{Done: n.Done, Text: cut(n.Text, 300)})
	}
	setCookie(w, r, noteCookie, base64.RawURLEncoding.EncodeToString(text), time.Minute)
}

// takeNote returns the note for this page, and deletes it.
func takeNote(w http.ResponseWriter, r *http.Request) *Note {
	cookie, err := r.Cookie(noteCookie)
	if err != nil {
		return nil
	}
	setCookie(w, r, noteCookie, "", 0)
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	var n Note
	if err != nil || json.Unmarshal(text, &n) != nil {
		return nil
	}
	return &n
}
