// Package span has the spans of time of templates.
package span

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Span is a number of seconds, or a number with a unit: 90s, 30m, 12h, 3d (of 86,400 seconds each), 2w. An empty Span means
// that no span is set.
type Span string

// Seconds returns d as a Span.
func Seconds(d time.Duration) Span {
	return Span(strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
}

// Length returns a span as a time.Duration, or 0 if the span is empty.
func (d Span) Length() (time.Duration, error) {
	if d == "" {
		return 0, nil
	}
	number, unit := string(d), time.Second
	if i := len(number) - 1; number[i] > '9' {
		unit = map[byte]time.Duration{
			's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
		}[number[i]]
		number = number[:i]
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || unit == 0 {
		return 0, fmt.Errorf("%q is not a duration: a number of seconds, or one with a unit, such as 90s, 12h or 3d", string(d))
	}
	return time.Duration(n * float64(unit)), nil
}

// MarshalJSON writes seconds as a number, and other spans as a text.
func (d Span) MarshalJSON() ([]byte, error) {
	if n := json.Number(d); json.Valid([]byte(n)) {
		if _, err := n.Float64(); err == nil {
			return []byte(n), nil
		}
	}
	return json.Marshal(string(d))
}

// UnmarshalJSON reads a number or a text.
func (d *Span) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(d))
	}
	var n json.Number
	err := json.Unmarshal(text, &n)
	*d = Span(n)
	return err
}
