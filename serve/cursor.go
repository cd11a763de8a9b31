package serve

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// cursor says where the next page begins. Clients get the cursor as an opaque text.
type cursor struct {
	// list is the ID of the operation that made the cursor. Other operations refuse the cursor. position is the place in the list.
	list, position string
}

func afterUUID(list string, id uuid.UUID) cursor { return cursor{list, id.String()} }

func afterNumber(list string, n int64) cursor { return cursor{list, strconv.FormatInt(n, 10)} }

// String returns the cursor in the form that clients see.
func (c cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.list + " " + c.position))
}

// MarshalJSON encodes the cursor as a text.
func (c cursor) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// UnmarshalText reads a cursor that a client sent back.
func (c *cursor) UnmarshalText(text []byte) error {
	decoded, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil {
		return errCursor
	}
	list, position, ok := strings.Cut(string(decoded), " ")
	if !ok {
		return errCursor
	}
	*c = cursor{list, position}
	return nil
}

var errCursor = invalid("the cursor is not one of this list", "Send next_cursor of the page before, with the same filters; without a cursor the list begins.")

// uuid returns the position in a list, nil for its beginning.
func (c *cursor) uuid(list string) (*uuid.UUID, error) {
	if c == nil {
		return nil, nil
	}
	id, err := uuid.Parse(c.position)
	if err != nil || c.list != list {
		return nil, errCursor
	}
	return &id, nil
}

// number returns the position in a list, nil for its beginning.
func (c *cursor) number(list string) (*int64, error) {
	if c == nil {
		return nil, nil
	}
	n, err := strconv.ParseInt(c.position, 10, 64)
	if err != nil || c.list != list || n < 0 {
		return nil, errCursor
	}
	return &n, nil
}

// sortKey returns the position in a history, nil for its beginning.
func (c *cursor) sortKey(list string) (*int32, error) {
	n, err := c.number(list)
	if err != nil || n == nil {
		return nil, err
	}
	if *n > math.MaxInt32 {
		return nil, errCursor
	}
	key := int32(*n)
	return &key, nil
}

// afterEvent is a position in the history or the audit of a task: the number of the step, 0 for the task itself, and the sort key.
func afterEvent(list string, stepNo, sortKey int32) cursor {
	return cursor{list, fmt.Sprintf("%d.%d", stepNo, sortKey)}
}

// event returns the position in the history or the audit of a task, and nils for its beginning.
func (c *cursor) event(list string) (stepNo, sortKey *int32, err error) {
	if c == nil {
		return nil, nil, nil
	}
	first, second, _ := strings.Cut(c.position, ".")
	step, stepErr := strconv.ParseInt(first, 10, 32)
	key, keyErr := strconv.ParseInt(second, 10, 32)
	if c.list != list || stepErr != nil || keyErr != nil || step < 0 || key < 0 {
		return nil, nil, errCursor
	}
	if step > 0 {
		stepNo = new(int32(step))
	}
	return stepNo, new(int32(key)), nil
}

// paging has the common arguments of all lists in pages.
type paging struct {
	Cursor *cursor `query:"cursor" doc:"next_cursor of the page before; without it the list begins."`
	Limit  int32   `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"How many items at most."`
}

func (p paging) pageSize() int32 { return p.Limit }

// asked returns the arguments, to change them.
func (p *paging) asked() *paging { return p }

// limited has the page size of a request.
type limited interface{ pageSize() int32 }
