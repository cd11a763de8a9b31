// Package term writes output for people at a terminal: tables that fit the terminal, and colours if it has colours.
//
//	out := term.New(os.Stdout, os.Getenv)     width, colours and characters, looked up once
//	table := term.NewTable("NAME", "STATE")
//	table.Row(term.Text("order"), term.Colored("complete", term.Green))
//	table.Write(out)
//
// If the output is not a terminal, nothing is cut and nothing is coloured. Control characters in texts of a database are
// removed, because they could steer the terminal.
package term
