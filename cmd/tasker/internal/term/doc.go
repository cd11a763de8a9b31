// Package term writes for people who sit at a terminal: tables that fit it, colours if it has them.
//
//	out := term.New(os.Stdout, os.Getenv)     width, colours and characters, looked up once
//	table := term.NewTable("NAME", "STATE")
//	table.Row(term.Text("order"), term.Colored("complete", term.Green))
//	table.Write(out)
//
// Where the output is no terminal nothing is cut and nothing is coloured. Control characters in texts of a database are
// removed, because they could steer the terminal.
package term
