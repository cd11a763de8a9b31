package found

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type Bare struct{} // want revive

// Vet copies what says how to print it.
func Vet() { fmt.Printf("%d\n", "text") } // want govet staticcheck

// Wrapped is known to print by what is known of another function.
func Wrapped() { say("%d", "text") } // want govet

func say(format string, args ...any) { fmt.Printf(format, args...) }

// Static compares a value with itself.
func Static(a int) bool { return a == a } // want staticcheck

// Fact is known to be deprecated by what is known of another package.
func Fact() string { return strings.Title("text") } // want staticcheck

// Simple could be a conversion.
func Simple(a struct{ X int }) string { return fmt.Sprintf("%s", "text") } // want staticcheck

// Style returns a message that begins with a capital.
func Style() error { return errors.New("Wrong.") } // want staticcheck

// Errors forgets one.
func Errors() { os.Remove("x") } // want errcheck

// Errorlint compares what may be wrapped.
func Errorlint(err error) bool { return err == io.EOF } // want errorlint

// Errorf hides what it wraps.
func Errorf(err error) error { return fmt.Errorf("hidden: %v", err) } // want errorlint

func nobody() {} // want unused

// Silent is silenced for a reason, and another for none.
func Silent() {
	os.Remove("x") //nolint:errcheck // It may be missing.
	os.Remove("y") //nolint // want nolint errcheck

	_ = os.Remove("z") //nolint:errcheck // It finds nothing here. // want nolint
	_ = os.Remove("z") //nolint:gosec // It does not run here. // want nolint
}

// Ineffective assigns for nothing.
func Ineffective() int {
	a := 1 // want ineffassign
	a = 2
	return a
}

// Body leaks one.
func Body(ctx context.Context) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request) // want bodyclose
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, nil
}

// Rows are neither closed nor asked for their error.
func Rows(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "select 1") // want rowserrcheck sqlclosecheck
	if err != nil {
		return err
	}
	for rows.Next() {
		fmt.Println("row")
	}
	return nil
}

// Noctx cannot be cancelled.
func Noctx(db *sql.DB) error {
	_, err := db.Exec("select 1") // want noctx
	return err
}

// Copies are needless.
func Copies(list []int) (all []func() int) {
	for _, one := range list {
		one := one // want copyloopvar
		all = append(all, func() int { return one })
	}
	return all
}

// Format is not as gofumpt writes it.
func Format() int {
	var a = 1 // want format
	return a
}
