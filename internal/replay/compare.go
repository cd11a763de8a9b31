package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// difference returns the first difference of two JSON values, and whether the types differ at that place. The difference is
// empty if the values are equal. Values are compared as the database compares them.
func difference(recorded, present json.RawMessage) (what string, types bool) {
	var a, b any
	if err := read(recorded, &a); err != nil {
		return "the recorded result is no JSON: " + err.Error(), true
	}
	if err := read(present, &b); err != nil {
		return "the result is no JSON: " + err.Error(), true
	}
	return differ("$", a, b)
}

func read(raw json.RawMessage, v any) error {
	if len(raw) == 0 {
		return nil // null
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(v)
}

func differ(path string, recorded, present any) (string, bool) {
	if kindOf(recorded) != kindOf(present) {
		return fmt.Sprintf("%s is %s, and was %s", path, shown(present), shown(recorded)), true
	}
	switch a := recorded.(type) {
	case map[string]any:
		b := present.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(a)) {
			if _, found := b[key]; !found {
				return fmt.Sprintf("%s.%s is missing, and was %s", path, key, shown(a[key])), true
			}
			if what, types := differ(path+"."+key, a[key], b[key]); what != "" {
				return what, types
			}
		}
		for _, key := range slices.Sorted(maps.Keys(b)) {
			if _, found := a[key]; !found {
				return fmt.Sprintf("%s.%s is new: %s", path, key, shown(b[key])), true
			}
		}
	case []any:
		b := present.([]any)
		for i := range min(len(a), len(b)) {
			if what, types := differ(fmt.Sprintf("%s[%d]", path, i), a[i], b[i]); what != "" {
				return what, types
			}
		}
		if len(a) != len(b) {
			return fmt.Sprintf("%s has %d elements, and had %d", path, len(b), len(a)), false
		}
	case json.Number:
		if !sameNumber(a, present.(json.Number)) {
			return fmt.Sprintf("%s is %s, and was %s", path, present, a), false
		}
	default:
		if recorded != present {
			return fmt.Sprintf("%s is %s, and was %s", path, shown(present), shown(recorded)), false
		}
	}
	return "", false
}

// sameNumber compares numbers by their values, so that 1, 1.0 and 1e0 are the same. Numbers with exponents too large to
// expand are compared as texts.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	for _, n := range []json.Number{a, b} {
		if _, exponent, found := strings.Cut(strings.ToLower(n.String()), "e"); found {
			if e, err := strconv.Atoi(exponent); err != nil || e > 5000 || e < -5000 {
				return false
			}
		}
	}
	x, okX := new(big.Rat).SetString(a.String())
	y, okY := new(big.Rat).SetString(b.String())
	return okX && okY && x.Cmp(y) == 0
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// shown is a value in a message.
func shown(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	const most = 80
	if text := string(raw); len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "…"
}
