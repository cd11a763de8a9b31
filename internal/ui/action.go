package ui

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
)

// action is an operator's action: the page describes its effect and asks for a reason before it is carried out.
type action struct {
	// name is the action's name in view.May, and section is its entry of the menu.
	name, section string
	// mass says whether the action changes many things at once. The person must then have signed in lately.
	mass bool
	// takes are the parameters of the action's address. Any other parameter is refused.
	takes []string
	// ask reads the action's subject.
	ask func(ctx context.Context, q *query) (question, error)
	// do carries the action out, and returns its outcome.
	do func(ctx context.Context, q *query, form url.Values) (Note, error)
}

// check asks the database whether the person has signed in lately, if the action changes many things.
func (a action) check(ctx context.Context, q *query) error {
	if !a.mass {
		return nil
	}
	_, err := q.CheckRecentSignIn(ctx)
	return err
}

// question is the question to a person before an action.
type question struct {
	Title string
	// About names the thing, and State is its present state.
	About, State string
	// Effects are sentences about the effects of the action.
	Effects []string
	// Facts are the facts that the answer needs.
	Facts []pair
	// Items are the things of a selection.
	Items []item
	// Fields are asked for besides the reason.
	Fields []field
	// Reason is the label of the reason. If it is empty, the form has no field for a reason. Named asks for the
	// person's name all the same, and for an optional reason.
	Reason string
	Named  bool
	// Button is the text of the button, and Danger is true if the action cannot be undone.
	Button string
	Danger bool
	// Back is the page to return to.
	Back string
	// Hidden are values that the form carries.
	Hidden []pair
	// Idle is the reason why there is nothing to do, or empty.
	Idle string
}

// item is a thing of a selection.
type item struct{ Name, Href, State, Note string }

// pair is a name with a value.
type pair struct{ Name, Value string }

// field is an input of a form.
type field struct {
	Name, Label, Hint string
	// Kind is text, area, number, integer, choice, check or json.
	Kind     string
	Value    string
	Choices  []string
	Required bool
	Min, Max string
	Length   int
	// Depth is the field's depth in the payload.
	Depth int
}

// asked is a question as the page shows it.
type asked struct {
	question
	Action string
	Given  url.Values
}

// Value returns the form's value of a field, or the field's first value.
func (a asked) Value(f field) string {
	if a.Given != nil {
		return a.Given.Get(f.Name)
	}
	return f.Value
}

// ReasonGiven is the reason that the form had.
func (a asked) ReasonGiven() string { return a.Given.Get("reason") }

// ActorGiven is the name that the form had.
func (a asked) ActorGiven() string { return a.Given.Get("actor") }

// ask shows the question of an action.
func (u *UI) ask(a action) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := u.sessionOf(r)
		if visitor == nil {
			u.toLogin(w, r)
			return
		}
		u.question(w, r, a, visitor, nil)
	})
}

// question renders a question, with the problem of the last attempt.
func (u *UI) question(w http.ResponseWriter, r *http.Request, a action, visitor *session, refused *Problem) {
	var (
		asks question
		now  time.Time
	)
	who, err := u.config.Transact(r, visitor.token, false, func(ctx context.Context, tx pgx.Tx) error {
		q, err := u.begin(ctx, r, tx, visitor)
		if err != nil {
			return err
		}
		now = q.now
		if err := a.check(ctx, q); err != nil {
			return err
		}
		asks, err = a.ask(ctx, q)
		return err
	})
	if err != nil {
		if refused != nil {
			err = refused
		}
		u.fail(w, r, visitor, err)
		return
	}
	v := u.view(r, visitor, who, now)
	status := http.StatusOK
	shown := asked{question: asks, Action: a.name}
	if refused != nil {
		status, v.Problem, shown.Given = refused.Status, refused, r.PostForm
	}
	v.Title, v.Section, v.Data = asks.Title, a.section, shown
	u.render(w, r, status, "ask", v)
}

// act carries out the action.
func (u *UI) act(a action) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := u.sessionOf(r)
		if visitor == nil {
			u.toLogin(w, r)
			return
		}
		if p := u.readForm(w, r); p != nil {
			u.fail(w, r, visitor, p)
			return
		}
		if !visitor.accepts(r.PostForm) {
			u.fail(w, r, visitor, foreignForm())
			return
		}
		var (
			note Note
			back string
		)
		_, err := u.config.Transact(r, visitor.token, true, func(ctx context.Context, tx pgx.Tx) error {
			q, err := u.begin(ctx, r, tx, visitor)
			if err != nil {
				return err
			}
			if err := a.check(ctx, q); err != nil {
				return err
			}
			asks, err := a.ask(ctx, q)
			if err != nil {
				return err
			}
			back = asks.Back
			if asks.Reason != "" && strings.TrimSpace(r.PostForm.Get("reason")) == "" {
				return invalid("The reason is missing; nothing was changed.", "Say why, for the history.")
			}
			note, err = a.do(ctx, q, r.PostForm)
			return err
		})
		if err != nil {
			p := u.config.Describe(r, err)
			var mine *Problem
			if errors.As(err, &mine) {
				p = *mine
			}
			if p.Status == http.StatusUnauthorized {
				u.fail(w, r, visitor, err)
				return
			}
			u.question(w, r, a, visitor, &p)
			return
		}
		leaveNote(w, r, note)
		http.Redirect(w, r, cmp.Or(note.To, back), http.StatusSeeOther)
	})
}

// intent returns the reason for an action and the actor.
func intent(form url.Values) (reason, actor string) {
	return strings.TrimSpace(form.Get("reason")), strings.TrimSpace(form.Get("actor"))
}

func act(form url.Values) executor.By {
	reason, actor := intent(form)
	return executor.By{Actor: actor, Reason: reason}
}

// answered returns the note for a change. A repeated request finds the change done and gets another note.
func answered(changed bool, done string) Note {
	if !changed {
		return Note{Text: "Nothing to do: it was so already."}
	}
	return Note{Done: true, Text: done}
}
