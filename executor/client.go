package executor

import (
	"iter"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Client groups the SQL functions by the tasks of their users. A client has no state except its connection, so a program may make a client
// for each transaction. [Client.SQL] has a method for every SQL function, also for rarely used functions that no group has.
type Client struct {
	sql *SqlFunctionExecutor
}

// NewClient returns a client whose calls run on db. If db is a transaction, the calls take part in it.
func NewClient(db DBTX) *Client { return &Client{sql: New(db)} }

// WithReads returns a client that reads from another database, such as a standby, and writes to the database of c. Waits read from the
// database of c, not from the other database.
func (c *Client) WithReads(reads DBTX) *Client { return &Client{sql: c.sql.WithReads(reads)} }

// WithTx returns a client whose calls take part in a transaction.
func (c *Client) WithTx(tx DBTX) *Client { return NewClient(WithCodec(tx, c.sql.codec)) }

// Tasks returns the methods that create tasks, read them and wait for them.
func (c *Client) Tasks() Tasks { return Tasks{c.sql} }

// Operate returns the methods with which an operator changes the course of tasks.
func (c *Client) Operate() Operate { return Operate{c.sql} }

// Signals returns the methods that send signals, emit events, and list the steps that wait for signals and events.
func (c *Client) Signals() Signals { return Signals{c.sql} }

// Templates returns the methods that register task templates and namespaces.
func (c *Client) Templates() Templates { return Templates{c.sql} }

// Schedules returns the methods of schedules, which create tasks at regular times.
func (c *Client) Schedules() Schedules { return Schedules{c.sql} }

// Limits returns the methods that bound how many steps run at once, and how many steps start in a period.
func (c *Client) Limits() Limits { return Limits{c.sql} }

// Feed returns the methods that read the changes of tasks and steps in order. Each subscription gets every change.
func (c *Client) Feed() Feed { return Feed{c.sql} }

// DeadLetters returns the methods that list and resolve the tasks that an operator has to decide about.
func (c *Client) DeadLetters() DeadLetters { return DeadLetters{c.sql} }

// Monitor returns the methods that read the condition of the database, its queues and its workers.
func (c *Client) Monitor() Monitor { return Monitor{c.sql} }

// Access returns the methods that manage tokens and the rights of roles.
func (c *Client) Access() Access { return Access{c.sql} }

// Admin returns the methods that read and change settings, partitions, retention and maintenance.
func (c *Client) Admin() Admin { return Admin{c.sql} }

// SQL returns the direct form: a method for every SQL function.
func (c *Client) SQL() *SqlFunctionExecutor { return c.sql }

// Analytics returns the functions for reports. [Client.SQL] has the same functions.
func (c *Client) Analytics() *SqlFunctionExecutor { return c.sql }

// SystemHealth returns the functions that describe the condition of the system. [Client.SQL] has the same functions.
func (c *Client) SystemHealth() *SqlFunctionExecutor { return c.sql }

// FunctionRegistry is the name of [Client] in pgtasker's first design.
type FunctionRegistry = Client

// By says who makes a change, and why. The history of the changed object keeps both, and also the database role.
type By = sqlfn.By

// Ref names a schedule or a limit of a namespace.
type Ref struct {
	Namespace string
	Name      string
}

// pages lists rows page by page. The function next returns the page after the row last, which is nil for the first page. The argument limit
// bounds the number of rows of all pages. If limit is 0, all rows are listed.
func pages[R any](limit int, next func(last *R, rows int32) ([]R, error)) iter.Seq2[R, error] {
	return pagesOf(500, limit, next)
}

// pagesOf is pages with a given page size.
func pagesOf[R any](size, limit int, next func(last *R, rows int32) ([]R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var last *R
		for left := limit; ; {
			rows := size
			if limit > 0 {
				rows = min(left, size)
			}
			page, err := next(last, int32(rows))
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			left -= len(page)
			if len(page) < rows || limit > 0 && left <= 0 {
				return
			}
			last = &page[len(page)-1]
		}
	}
}

// one returns an iterator over the rows of a single call.
func one[R any](rows func() ([]R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		all, err := rows()
		if err != nil {
			var none R
			yield(none, err)
			return
		}
		for _, row := range all {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// last returns the last value of a variadic argument, or the zero value if the caller passed no value.
func last[O any](options []O) (option O) {
	if len(options) > 0 {
		option = options[len(options)-1]
	}
	return option
}
