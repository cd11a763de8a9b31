// Package tagvalidator validates the arguments of tasks by struct tags:
//
//	type Email struct {
//		To string `json:"to" validate:"required,email"`
//	}
//
//	client := tasklib.NewClient(pool, tasklib.Config{Validator: tagvalidator.New()})
//
// The rules come from github.com/go-playground/validator/v10. Errors have the JSON names of fields, and never contain values, which may be
// secret. The package is a separate module, so that other programs do not get its dependencies in their module graph.
package tagvalidator

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
)

// Validator checks structs by their tags. Make a Validator with [New].
type Validator struct {
	validate *validator.Validate
}

// New returns a validator with all the rules of go-playground/validator.
func New() *Validator {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			return ""
		}
		return name
	})
	return &Validator{validate: v}
}

// Validate returns the underlying validator, with which a program registers its own rules.
func (v *Validator) Validate() *validator.Validate { return v.validate }

// brokenError lists the broken rules.
type brokenError struct {
	// Broken has the broken rules in the order of the fields, at least one rule.
	Broken []rule
	err    error
}

// rule is a broken rule.
type rule struct {
	// Field by its JSON name: address.city, items[2].
	Field string
	// Rule as in the tag: email, max=100.
	Rule string
}

// Field returns the first field whose value is wrong.
func (e *brokenError) Field() string { return e.Broken[0].Field }

// Error names fields and rules.
func (e *brokenError) Error() string {
	var b strings.Builder
	for i, r := range e.Broken {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s breaks the rule %q", r.Field, r.Rule)
	}
	return b.String()
}

// Unwrap returns the errors of the underlying validator.
func (e *brokenError) Unwrap() error { return e.err }

// Struct returns nil, or an error that names the fields of args and the rules that they break. errors.As finds the underlying
// validator.ValidationErrors.
func (v *Validator) Struct(args any) error {
	err := v.validate.Struct(args)
	var broken validator.ValidationErrors
	if !errors.As(err, &broken) {
		return err
	}
	named := &brokenError{err: err}
	for _, b := range broken {
		tag := b.Tag()
		if b.Param() != "" {
			tag += "=" + b.Param()
		}
		_, field, _ := strings.Cut(b.Namespace(), ".")
		named.Broken = append(named.Broken, rule{Field: field, Rule: tag})
	}
	return named
}
