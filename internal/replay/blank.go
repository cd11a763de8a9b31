package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var pathSteps = regexp.MustCompile(`\."(?:[^"\\]|\\.)*"|\.\*\*|\.\*|\.[^.\[\]"*\s]+|\[\s*\*\s*\]|\[\s*\d+\s*\]`)

// blank returns a value with null in the places that were blanked in its export, as the database does. A result of the present
// code is compared without these places.
func blank(raw json.RawMessage, paths []string) (json.RawMessage, error) {
	if len(paths) == 0 || len(raw) == 0 {
		return raw, nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	for _, path := range paths {
		steps := pathSteps.FindAllString(path, -1)
		if len(steps) == 0 {
			return nil, fmt.Errorf("%q is not a path that can be blanked", path)
		}
		value = blankPath(value, steps)
	}
	return json.Marshal(value)
}

func blankPath(value any, steps []string) any {
	if len(steps) == 0 {
		return nil
	}
	step, rest := steps[0], steps[1:]
	switch {
	case step == ".**":
		value = blankPath(value, rest)
		return within(value, func(v any) any { return blankPath(v, steps) })
	case step == ".*":
		if array, ok := value.([]any); ok {
			return within(array, func(v any) any { return blankPath(v, steps) })
		}
		if object, ok := value.(map[string]any); ok {
			return within(object, func(v any) any { return blankPath(v, rest) })
		}
	case strings.HasPrefix(step, "."):
		switch v := value.(type) {
		case []any:
			return within(v, func(v any) any { return blankPath(v, steps) })
		case map[string]any:
			if member, found := v[memberOf(step)]; found {
				v[memberOf(step)] = blankPath(member, rest)
			}
		}
	default:
		return blankElement(value, strings.TrimSpace(strings.Trim(step, "[]")), rest)
	}
	return value
}

func blankElement(value any, index string, rest []string) any {
	switch v := value.(type) {
	case []any:
		if index == "*" {
			return within(v, func(v any) any { return blankPath(v, rest) })
		}
		if i, err := strconv.Atoi(index); err == nil && i < len(v) {
			v[i] = blankPath(v[i], rest)
		}
	case map[string]any:
		if index == "*" || index == "0" {
			return blankPath(v, rest)
		}
	}
	return value
}

// within changes the elements or members of a value.
func within(value any, change func(any) any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = change(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = change(v[key])
		}
	}
	return value
}

func memberOf(step string) string {
	name := strings.TrimPrefix(step, ".")
	if unquoted, err := strconv.Unquote(name); err == nil {
		return unquoted
	}
	return name
}
