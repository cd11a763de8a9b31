package messaging

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// Prepare returns messages as they are sent: each with an ID. It returns ErrInvalid if one of them cannot be sent, or
// if they are too many or none. Implementations call it first, so that all of them refuse the same.
func Prepare(messages []Message) ([]Message, error) {
	if err := CheckBatch(len(messages)); err != nil {
		return nil, err
	}
	prepared := make([]Message, len(messages))
	for i, m := range messages {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("message %d of %d: %w", i+1, len(messages), err)
		}
		if m.ID == "" {
			m.ID = uuid.NewString()
		}
		prepared[i] = m
	}
	return prepared, nil
}

// CheckBatch returns ErrInvalid unless one call may send or receive so many messages.
func CheckBatch(size int) error {
	if size < 1 || size > MaxBatch {
		return fmt.Errorf("%d messages in one call: 1 to %d are possible: %w", size, MaxBatch, ErrInvalid)
	}
	return nil
}

// maxID fits into a short string of AMQP.
const maxID = 255

func (m Message) check() error {
	switch {
	case len(m.Body) == 0:
		return fmt.Errorf("the body is empty, which is not JSON: %w", ErrInvalid)
	case len(m.Body) > MaxBody:
		return fmt.Errorf("the body has %d bytes: at most %d are possible: %w", len(m.Body), MaxBody, ErrInvalid)
	case len(m.ID) > maxID || !storable(m.ID):
		return fmt.Errorf("the ID is no text of at most %d bytes: %w", maxID, ErrInvalid)
	}
	if err := pgjson.Check(m.Body); err != nil {
		return fmt.Errorf("the body: %w: %w", err, ErrInvalid)
	}
	size := 0
	for name, value := range m.Headers {
		size += len(name) + len(value)
		switch {
		case name == HeaderID || name == "" || len(name) > maxID:
			return fmt.Errorf("%.100q cannot be the name of a header: %w", name, ErrInvalid)
		case !storable(name) || !storable(value):
			return fmt.Errorf("header %.100q is not UTF-8, or contains a zero byte: %w", name, ErrInvalid)
		}
	}
	if size > MaxHeaders {
		return fmt.Errorf("the headers have %d bytes: at most %d are possible: %w", size, MaxHeaders, ErrInvalid)
	}
	return nil
}

// storable reports whether PostgreSQL can store a text.
func storable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }
