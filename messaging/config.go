package messaging

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Config describes a queue, the same for every broker. Only the name is needed.
type Config struct {
	// Name of the queue: 1 to 40 letters, digits, underscores and hyphens, beginning with a letter.
	Name string
	// Lease is how long a message belongs to its receiver, in whole seconds. Default: 30 s.
	Lease time.Duration
	// MaxDeliveries is how often a message is delivered. Instead of once more it is moved to the queue
	// [DeadLetters](Name). Negative means no limit, and so it is for the queue of dead letters. Default: 10.
	MaxDeliveries int
	// Existing says that the queue and that of its dead letters are there already, for users that may not create
	// them. Default: they are created if they are missing.
	Existing bool
}

// deadSuffix is at the end of the name of every queue of dead letters.
const deadSuffix = "_dead"

// DeadLetters returns the name of the queue to which messages of a queue go that were delivered too often.
func DeadLetters(name string) string { return name + deadSuffix }

const (
	defaultLease         = 30 * time.Second
	defaultMaxDeliveries = 10
	maxLease             = 24 * time.Hour
)

var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// Complete returns the configuration with its defaults, or ErrInvalid. Implementations call it first.
func (c Config) Complete() (Config, error) {
	dead := strings.HasSuffix(c.Name, deadSuffix)
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	switch {
	case c.MaxDeliveries < 0 || dead:
		c.MaxDeliveries = 0
	case c.MaxDeliveries == 0:
		c.MaxDeliveries = defaultMaxDeliveries
	}
	switch {
	case !nameForm.MatchString(strings.TrimSuffix(c.Name, deadSuffix)):
		return c, fmt.Errorf("%q cannot be the name of a queue: it has 1 to 40 letters, digits, _ and -, and begins with a letter: %w", c.Name, ErrInvalid)
	case c.MaxDeliveries > 1_000_000:
		return c, fmt.Errorf("%d deliveries are more than 1,000,000: %w", c.MaxDeliveries, ErrInvalid)
	}
	return c, CheckLease(c.Lease)
}

// CheckLease returns ErrInvalid unless a lease may be so long.
func CheckLease(lease time.Duration) error {
	if lease < time.Second || lease > maxLease || lease%time.Second != 0 {
		return fmt.Errorf("a lease of %s: it is 1 second to 24 hours long, in whole seconds: %w", lease, ErrInvalid)
	}
	return nil
}
