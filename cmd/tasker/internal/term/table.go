package term

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Cell is a text and its colour.
type Cell struct {
	text  string
	color Color
	right bool
	whole bool
	parts []part // of a drawing; together they are the text
	below string // what of a drawing goes on in further lines of its row
}

type part struct {
	text  string
	color Color
}

// Text returns a cell that is not coloured.
func Text(text string) Cell { return Cell{text: Clean(text)} }

// Whole returns a cell that is never cut, because a part of it would be useless.
func Whole(text string) Cell { return Cell{text: Clean(text), whole: true} }

// Colored returns a cell in a colour.
func Colored(text string, color Color) Cell { return Cell{text: Clean(text), color: color} }

// Number returns a cell that stands at the right.
func Number[T ~int | ~int32 | ~int64](n T) Cell {
	return Cell{text: fmt.Sprint(n), right: true}
}

// Drawing returns a cell of a picture: a symbol in a colour between lines. Its blanks stay.
func Drawing(before, symbol string, color Color, after string) Cell {
	return Cell{text: before + symbol + after, parts: []part{{before, Dim}, {symbol, color}, {after, Dim}}}
}

// Over returns a drawing that goes on like this in the further lines of its row.
func (c Cell) Over(below string) Cell {
	c.below = below
	return c
}

// Followed returns the cell with more text behind it.
func (c Cell) Followed(text string) Cell {
	text = " " + Clean(text)
	c.text += text
	c.parts = append(slices.Clip(c.parts), part{text: text})
	return c
}

// String returns the cell's text.
func (c Cell) String() string { return c.text }

// painted returns the cell, or what of it fits, in its colours.
func (c Cell) painted(out *Output, fitting string) string {
	if len(c.parts) == 0 || fitting != c.text {
		return out.Paint(fitting, c.color)
	}
	var b strings.Builder
	for _, p := range c.parts {
		b.WriteString(out.Paint(p.text, p.color))
	}
	return b.String()
}

// Table is rows of cells under a heading.
type Table struct {
	heading []string
	rows    [][]Cell
	wrapped bool
}

// NewTable returns a table with these columns and no rows.
func NewTable(heading ...string) *Table { return &Table{heading: heading} }

// Wrap makes the last column go on in further lines where it does not fit, instead of being cut.
func (t *Table) Wrap() *Table {
	t.wrapped = true
	return t
}

// Row adds a row, which may have fewer cells than there are columns.
func (t *Table) Row(cells ...Cell) { t.rows = append(t.rows, cells) }

const (
	gap       = "  "
	narrowest = 8 // to which a column is cut so that the others fit
)

// Write writes the table. Columns are as wide as their widest cell; if that is too wide for the output,
// the widest are cut until it fits.
func (t *Table) Write(out *Output) error {
	widths := t.widths(out.Width)
	var b strings.Builder
	if strings.Join(t.heading, "") != "" {
		heading := make([]Cell, len(t.heading))
		for i, name := range t.heading {
			heading[i] = Cell{text: name, color: Bold, right: t.atRight(i)}
		}
		t.line(&b, out, heading, widths)
	}
	for _, row := range t.rows {
		for _, line := range t.lines(row, widths) {
			t.line(&b, out, line, widths)
		}
	}
	_, err := io.WriteString(out, out.plain(b.String()))
	return err
}

func (t *Table) atRight(column int) bool {
	return len(t.rows) > 0 && column < len(t.rows[0]) && t.rows[0][column].right
}

// lines returns the lines that a row takes: more than one only if its last cell is wrapped.
func (t *Table) lines(row []Cell, widths []int) [][]Cell {
	last := len(widths) - 1
	if !t.wrapped || len(row) <= last {
		return [][]Cell{row}
	}
	var lines [][]Cell
	for i, text := range Wrap(row[last].text, widths[last]) {
		line := make([]Cell, len(row))
		for column, cell := range row {
			if i == 0 {
				line[column] = cell
			} else {
				line[column] = Cell{text: cell.below, color: Dim}
			}
		}
		line[last] = Cell{text: text, color: row[last].color}
		lines = append(lines, line)
	}
	return lines
}

// line appends one line without blanks at its end.
func (t *Table) line(b *strings.Builder, out *Output, cells []Cell, widths []int) {
	blanks := ""
	for i, cell := range cells {
		text := Cut(cell.text, widths[i])
		padding := strings.Repeat(" ", widths[i]-Width(text))
		if cell.right {
			blanks, padding = blanks+padding, ""
		}
		if strings.TrimSpace(text) != "" {
			b.WriteString(blanks + cell.painted(out, text))
			blanks = ""
		}
		blanks += padding + gap
	}
	b.WriteByte('\n')
}

// widths returns the columns' widths, within limit if that can be.
func (t *Table) widths(limit int) []int {
	widths := make([]int, len(t.heading))
	for i, name := range t.heading {
		widths[i] = Width(name)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell.text))
		}
	}
	if limit == 0 {
		return widths
	}
	excess := len(gap)*(len(widths)-1) - limit
	for _, w := range widths {
		excess += w
	}
	if last := len(widths) - 1; t.wrapped && excess > 0 {
		taken := min(excess, max(widths[last]-3*narrowest, 0))
		widths[last], excess = widths[last]-taken, excess-taken
	}
	whole := t.whole()
	for ; excess > 0; excess-- {
		widest := -1
		for i, w := range widths {
			if !whole[i] && w > narrowest && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// whole says which columns are not cut.
func (t *Table) whole() []bool {
	whole := make([]bool, len(t.heading))
	for _, row := range t.rows {
		for i, cell := range row {
			whole[i] = whole[i] || cell.whole || len(cell.parts) > 0
		}
	}
	return whole
}

// Fields writes names and values, one under the other; what has no value is left out.
func Fields(out *Output, pairs ...string) error {
	table := NewTable("", "").Wrap()
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			table.Row(Colored(pairs[i], Dim), Text(pairs[i+1]))
		}
	}
	return table.Write(out)
}

var plainer = strings.NewReplacer(
	"…", "~", "│", "|", "─", "-", "├", "+", "└", "`", "┬", "+", "┴", "+", "╮", ".", "╯", "'",
	"●", "*", "○", "o", "◎", "O", "◐", ">", "◑", ">", "↻", "r", "✗", "x", "⊘", "-", "◆", "#", "✓", "+", "≡", "=",
)

// plain returns text with the characters replaced that the output cannot show.
func (o *Output) plain(text string) string {
	if !o.ASCII {
		return text
	}
	return plainer.Replace(text)
}

// Print writes text, whose special characters are replaced if the output cannot show them.
func (o *Output) Print(text string) error {
	_, err := io.WriteString(o, o.plain(text))
	return err
}

// Printf formats according to a format and prints.
func (o *Output) Printf(format string, arguments ...any) error {
	return o.Print(fmt.Sprintf(format, arguments...))
}
