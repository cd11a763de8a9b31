package sqltext

import (
	"fmt"
	"slices"
	"strings"
)

// Object is the object that a create statement creates.
type Object struct {
	Kind      string   // the kind as it is written after "drop": table, view, materialized view, function, trigger, …
	Name      string   // the name as it was written, with its schema; "" for an index without a name
	On        string   // the relation of a trigger, policy, rule, index or statistics object
	Replaces  bool     // written as "create or replace"
	Signature string   // the part that create or replace cannot change, or ""
	Columns   []string // columns of a row type, each with its type: create or replace can only add columns
}

// modifiers are the words that may stand between "create" and the kind.
var modifiers = []string{
	"or", "replace", "temp", "temporary", "global", "local", "unlogged", "recursive", "unique", "constraint",
}

// Created returns the object that the statement creates. It returns false if the statement is not a create statement.
func (s Statement) Created() (Object, bool) {
	if !s.Begins("create") {
		return Object{}, false
	}
	object := Object{Replaces: s.Begins("create", "or", "replace")}
	at := 1
	for at < len(s) && isOneOf(s[at], modifiers...) {
		at++
	}
	if at == len(s) {
		return object, true
	}
	object.Kind = s[at].Text
	at++
	if object.Kind == "materialized" || object.Kind == "foreign" {
		object.Kind += " " + s[min(at, len(s)-1)].Text
		at++
	}
	for at < len(s) && isOneOf(s[at], "concurrently", "if", "not", "exists") {
		at++
	}
	if object.Kind == "index" && at < len(s) && s[at].Is("on") {
		object.On = s.nameAfter(at, "on")
		return object, true
	}
	object.Name, at = s.nameAt(at)
	switch object.Kind {
	case "trigger", "policy", "index":
		object.On = s.nameAfter(at, "on")
	case "rule":
		object.On = s.nameAfter(at, "to")
	case "statistics":
		object.On = s.nameAfter(at, "from")
	}
	if object.Kind == "view" {
		object.Columns = s.columns(at)
	}
	object.Signature = s.signature(object, at)
	return object, true
}

// columns returns the columns of a row type, a view "as select null::text as a, 0::integer as b where false": ["a text",
// "b integer"]. It returns nil for other views.
func (s Statement) columns(afterName int) (columns []string) {
	end := len(s) - 2
	if !s[min(afterName, len(s)):].Begins("as", "select") || s.index(afterName, "from") >= 0 || !s[end:].Begins("where", "false") {
		return nil
	}
	for column := range s[afterName+2 : end].split(",") {
		name := len(column) - 2 // a column's name follows "as"
		cast := slices.IndexFunc(column, func(t Token) bool { return t.Is(":") })
		if cast < 0 || name < cast+2 || !column[name].Is("as") {
			return nil
		}
		columns = append(columns, column[name+1].Text+" "+column[cast+2:name].String())
	}
	return columns
}

// nameAfter returns the dotted name after the first occurrence of word at or after from. It skips an "only" between the word
// and the name.
func (s Statement) nameAfter(from int, word string) string {
	at := s.index(from, word)
	if at < 0 {
		return ""
	}
	if at++; at < len(s) && s[at].Is("only") {
		at++
	}
	name, _ := s.nameAt(at)
	return name
}

// functionOptions are the words that begin an option of a function, and so end its return type.
var functionOptions = []string{
	"language", "transform", "window", "immutable", "stable", "volatile", "not", "leakproof", "called",
	"returns", "strict", "security", "external", "parallel", "cost", "rows", "support", "set", "as", "begin", "return",
}

// signature returns the parts of an object that create or replace cannot change: the kind, parameters and return type
// of a function, and the table of a trigger. The signature of a view is its whole text, because a text does not show whether
// the view's columns are still the same. A row type is an exception, since its text shows its columns.
func (s Statement) signature(object Object, afterName int) string {
	switch object.Kind {
	case "view":
		if object.Columns != nil {
			return "row type " + object.Name
		}
		return s.String()
	case "trigger":
		return object.Kind + " " + object.Name + " on " + object.On
	case "function", "procedure":
		open := afterName
		if open >= len(s) || !s[open].Is("(") {
			return s.String()
		}
		end := s.closing(open) + 1
		if s[end:].Begins("returns") && !s[end:].Begins("returns", "null") {
			end++
			for end < len(s) && !isOneOf(s[end], functionOptions...) {
				if s[end].Is("(") {
					end = s.closing(end)
				}
				end++
			}
		}
		return object.Kind + " " + object.Name + " " + s[open:end].String()
	default:
		return ""
	}
}

// Droppable reports whether Drop knows how to undo the creation.
func (o Object) Droppable() bool {
	switch o.Kind {
	case "table", "view", "materialized view", "foreign table", "sequence", "type", "domain", "schema",
		"function", "procedure", "statistics":
		return o.Name != ""
	case "trigger", "policy", "rule", "index":
		return o.Name != "" && o.On != ""
	}
	return false
}

// Drop returns the statement that drops the object. The statement has no cascade, so that a wrong order raises an error. It
// names a function without parameters, since no function is overloaded.
func (o Object) Drop() string {
	switch o.Kind {
	case "trigger", "policy", "rule":
		return fmt.Sprintf("drop %s %s on %s;", o.Kind, o.Name, o.On)
	case "index": // An index is in the schema of its table, but its name is written without the schema.
		if schema, _, ok := strings.Cut(o.On, "."); ok {
			return fmt.Sprintf("drop index %s.%s;", schema, o.Name)
		}
	}
	return fmt.Sprintf("drop %s %s;", o.Kind, o.Name)
}

// Replaceable reports whether a newer text of the object may simply take its place.
func (o Object) Replaceable() bool {
	switch o.Kind {
	case "function", "procedure", "view", "trigger":
		return true
	}
	return false
}
