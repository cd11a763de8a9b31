package localpg

import "time"

// QuitWithin bounds the time in which a server must end after the signal to quit.
const QuitWithin = 15 * time.Second

// Config says which server [Start] starts.
type Config struct {
	// Bin is the directory of the programs.
	Bin string
	// Folder is where the data is kept. Default: a new folder, which Stop removes.
	Folder string
}

// UserError is an error that a person can fix with another folder, other programs, or another user.
type UserError struct{ Message, Hint string }

// Error returns the message and the hint.
func (e *UserError) Error() string { return e.Message + ": " + e.Hint }
