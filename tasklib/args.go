package tasklib

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/internal/pgjson"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// Validator checks the arguments of a task: a struct, or the other type with which the task was registered.
type Validator interface {
	Struct(args any) error
}

// argsCodec encodes arguments as JSON and decodes them, checks them in both directions, and seals them if the task's options say so.
type argsCodec[Args any] struct {
	name      string
	validator Validator
	keys      codec.Codec
}

func newCodec[Args any](name string, validator Validator, encrypted bool, keys codec.Codec) (argsCodec[Args], error) {
	c := argsCodec[Args]{name: name}
	if encrypted {
		if keys == nil {
			return c, fmt.Errorf("task %q has encrypted arguments, but Config.Codec is not set", name)
		}
		c.keys = keys
	}
	typ := reflect.TypeFor[Args]()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return c, nil
	}
	c.validator = validator
	if validator == nil && hasTag(typ, "validate", map[reflect.Type]bool{}) {
		return c, fmt.Errorf(`arguments of task %q have "validate" tags, but Config.Validator is not set, so they would be ignored`, name)
	}
	return c, nil
}

// hasTag reports whether a field of the struct, or of a struct inside it, has the tag.
func hasTag(typ reflect.Type, tag string, seen map[reflect.Type]bool) bool {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ] {
		return false
	}
	seen[typ] = true
	for i := range typ.NumField() {
		field := typ.Field(i)
		if _, has := field.Tag.Lookup(tag); has || hasTag(field.Type, tag, seen) {
			return true
		}
	}
	return false
}

func (c argsCodec[Args]) encode(args Args) (json.RawMessage, error) {
	if err := c.check(args); err != nil {
		return nil, err
	}
	kwargs, err := json.Marshal(args)
	if err != nil {
		return nil, &ArgsError{Name: c.name, Err: err}
	}
	if !bytes.HasPrefix(kwargs, []byte("{")) {
		return nil, &ArgsError{Name: c.name, Err: fmt.Errorf("the JSON of %T is not an object", args)}
	}
	if err := pgjson.Check(kwargs); err != nil {
		return nil, &ArgsError{Name: c.name, Err: err}
	}
	if c.keys != nil {
		return seal.Encode(context.Background(), c.keys, c.place(), kwargs)
	}
	return kwargs, nil
}

// place is the place to which sealed arguments are bound: the name of their task. For another name they do not open.
func (c argsCodec[Args]) place() seal.Place { return seal.Place{Kind: "args", Of: c.name} }

func (c argsCodec[Args]) belongs(at seal.Place, _ bool) error {
	if at != c.place() {
		return fmt.Errorf("it belongs to another place (%q)", at)
	}
	return nil
}

func (c argsCodec[Args]) decode(kwargs json.RawMessage) (args Args, err error) {
	if c.keys == nil {
		return c.parse(kwargs)
	}
	if !seal.Is(kwargs) {
		return args, &ArgsError{Name: c.name, Err: fmt.Errorf("%w: they are not sealed", ErrKey)}
	}
	if kwargs, err = seal.Open(context.Background(), c.keys, kwargs, c.belongs); err != nil {
		return args, &ArgsError{Name: c.name, Err: err}
	}
	if args, err = c.parse(kwargs); err != nil {
		// The error is stored with the task, and the problem of a value may name the value.
		problem := &ArgsError{Name: c.name, Err: errUnfit}
		var typeError *json.UnmarshalTypeError
		if errors.As(err, &typeError) {
			problem.Field = typeError.Field
		}
		return args, problem
	}
	return args, nil
}

// open decrypts the arguments, the result and the error of a task.
func (c argsCodec[Args]) open(ctx context.Context, d *Details) (err error) {
	belongs := func(at seal.Place, _ bool) error {
		if id, name, ok := at.Task(); at == c.place() || ok && id == d.ID && name == d.Name {
			return nil
		}
		return fmt.Errorf("it belongs to another place (%q)", at)
	}
	if d.Kwargs, err = seal.Open(ctx, c.keys, d.Kwargs, belongs); err != nil {
		return err
	}
	if d.Result, err = seal.Open(ctx, c.keys, d.Result, belongs); err != nil || d.Error == nil {
		return err
	}
	text, err := seal.OpenError(ctx, c.keys, *d.Error, belongs)
	d.Error = &text
	return err
}

// unreadError is the error of arguments that the worker cannot read. It holds none of their values, and is stored in the clear.
type unreadError struct{ error }

func (e unreadError) Unwrap() error { return e.error }

var errUnfit = errors.New("sealed arguments do not fit the task's type")

func (c argsCodec[Args]) parse(kwargs json.RawMessage) (args Args, err error) {
	decoder := json.NewDecoder(bytes.NewReader(kwargs))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&args); err != nil {
		return args, &ArgsError{Name: c.name, Field: badField(err), Err: err}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return args, &ArgsError{Name: c.name, Err: errors.New("there is text after the object")}
	}
	return args, c.check(args)
}

func (c argsCodec[Args]) check(args Args) error {
	if c.validator == nil {
		return nil
	}
	err := c.validator.Struct(args)
	if err == nil {
		return nil
	}
	problem := &ArgsError{Name: c.name, Err: err}
	var named interface{ Field() string }
	if errors.As(err, &named) {
		problem.Field = named.Field()
	}
	return problem
}

// badField returns the field that encoding/json could not decode.
func badField(err error) string {
	var typeError *json.UnmarshalTypeError
	if errors.As(err, &typeError) {
		return typeError.Field
	}
	if _, after, found := strings.Cut(err.Error(), "unknown field "); found {
		return strings.Trim(after, `"`)
	}
	return ""
}
