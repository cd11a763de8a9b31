//go:build !linux

package lab

import (
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Instructions are counted under Linux only.
type Instructions struct{}

// CountInstructions returns an error.
func CountInstructions(*pgxpool.Conn) (*Instructions, error) {
	return nil, errors.New("instructions are counted under Linux only")
}

// Read returns nothing.
func (*Instructions) Read() (int64, error) { return 0, nil }

// Close does nothing.
func (*Instructions) Close() error { return nil }
