// Package pgjson says whether PostgreSQL can store a JSON text as jsonb.
package pgjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrUnstorable is wrapped by every error of [Check].
var ErrUnstorable = errors.New("PostgreSQL cannot store it")

// Check returns the reason why PostgreSQL cannot store raw as jsonb, or nil. An empty raw stands for null.
func Check(raw []byte) error {
	switch {
	case len(raw) == 0:
		return nil
	case !utf8.Valid(raw):
		return fmt.Errorf("not UTF-8: %w", ErrUnstorable)
	case !json.Valid(raw):
		return fmt.Errorf("not JSON: %w", ErrUnstorable)
	}
	return checkEscapes(raw)
}

// checkEscapes checks the escapes of valid JSON. An escaped backslash begins no escape.
func checkEscapes(raw []byte) error {
	for {
		at := bytes.IndexByte(raw, '\\')
		if at < 0 {
			return nil
		}
		if raw[at+1] != 'u' {
			raw = raw[at+2:]
			continue
		}
		r := escaped(raw[at:])
		raw = raw[at+6:]
		switch {
		case r == 0:
			return fmt.Errorf(`holds \u0000: %w`, ErrUnstorable)
		case utf16.IsSurrogate(r):
			if !bytes.HasPrefix(raw, []byte(`\u`)) || utf16.DecodeRune(r, escaped(raw)) == utf8.RuneError {
				return fmt.Errorf(`holds half a surrogate pair, \u%04x: %w`, r, ErrUnstorable)
			}
			raw = raw[6:]
		}
	}
}

// escaped returns the character of the escape \uXXXX that text begins with.
func escaped(text []byte) rune {
	r, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(r)
}

// Deepest is how deep the objects and arrays of a value may be nested. tasker.is_too_deep has the same bound.
const Deepest = 1000

// Depth returns the depth to which the objects and arrays of a JSON text are nested.
func Depth(text []byte) (deepest int) {
	at, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			at++
			deepest = max(deepest, at)
		case c == '}', c == ']':
			at--
		}
	}
	return deepest
}
