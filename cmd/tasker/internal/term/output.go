package term

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// Output is a stream with its abilities.
type Output struct {
	io.Writer
	// Width is the number of columns, 0 if there is no limit.
	Width int
	// Height is the number of lines, 0 if it is not known.
	Height int
	// Color says whether colours are shown.
	Color bool
	// ASCII says whether only ASCII characters are shown.
	ASCII bool
	// Terminal says whether the output is a terminal.
	Terminal bool
	// Cursor says whether the cursor can be moved. It cannot if TERM is dumb.
	Cursor bool
}

// New looks up the abilities of w. NO_COLOR and TERM decide on colours, COLUMNS sets the width if w is a terminal, and LC_ALL,
// LC_CTYPE and LANG decide on characters.
func New(w io.Writer, env func(string) string) *Output {
	out := &Output{Writer: w, ASCII: asciiOnly(env)}
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return out
	}
	out.Terminal = true
	out.Cursor = env("TERM") != "dumb"
	out.Color = env("NO_COLOR") == "" && out.Cursor
	out.Resize(env)
	return out
}

// Resize looks up the current size of the terminal.
func (o *Output) Resize(env func(string) string) {
	file, isFile := o.Writer.(*os.File)
	if !isFile || !o.Terminal {
		return
	}
	if columns, lines, err := term.GetSize(int(file.Fd())); err == nil {
		o.Width, o.Height = columns, lines
	}
	if columns, err := strconv.Atoi(env("COLUMNS")); err == nil && columns > 0 {
		o.Width = columns
	}
}

// asciiOnly returns whether the locale is one without UTF-8. If no locale is set, as in containers, it assumes UTF-8.
func asciiOnly(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := env(name); locale != "" {
			locale = strings.ToLower(locale)
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// Color is the look of a text on a terminal, as the parameters of an SGR sequence.
type Color string

// The colours that are used.
const (
	Plain   Color = ""
	Bold    Color = "1"
	Dim     Color = "2"
	Red     Color = "31"
	Green   Color = "32"
	Yellow  Color = "33"
	Blue    Color = "34"
	Magenta Color = "35"
	Cyan    Color = "36"
)

// Paint returns text in a colour, or unchanged if the output has no colours.
func (o *Output) Paint(text string, color Color) string {
	if !o.Color || color == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(color) + "m" + text + "\x1b[0m"
}
