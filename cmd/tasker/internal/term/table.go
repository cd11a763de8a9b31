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
	parts []part // the parts of a drawing, which together are the text
	below string // the part of a drawing that continues in further lines of its row
}

type part struct {
	text  string
	color Color
}

// Text returns a cell that is not coloured.
func Text(text string) Cell { return Cell{text: Clean(text)} }

// Whole returns a cell that is never cut, because a part of it would be useless.
func Whole(text string) Cell { return Cell{text: Clean(text), whole: true} }

// Uncut returns the cell as a cell that is never cut.
func (c Cell) Uncut() Cell {
	c.whole = true
	return c
}

// Colored returns a cell in a colour.
func Colored(text string, color Color) Cell { return Cell{text: Clean(text), color: color} }

// Number returns a cell with a number, aligned to the right.
func Number[T ~int | ~int32 | ~int64](n T) Cell {
	return Cell{text: fmt.Sprint(n), right: true}
}

// Drawing returns a cell of a picture: a coloured symbol between lines. Its blanks are kept.
func Drawing(before, symbol string, color Color, after string) Cell {
	return Cell{text: before + symbol + after, parts: []part{{before, Dim}, {symbol, color}, {after, Dim}}}
}

// Over returns a drawing that continues with `below` in the further lines of its row.
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

// painted returns the cell, or the part that fits, in its colours.
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

// Table has rows of cells under a heading.
type Table struct {
	heading  []string
	rows     [][]Cell
	wrapped  bool
	yielding []string
}

// NewTable returns a table with these columns and no rows.
func NewTable(heading ...string) *Table { return &Table{heading: heading} }

// Wrap makes the last column continue in further lines if it does not fit, instead of being cut.
func (t *Table) Wrap() *Table {
	t.wrapped = true
	return t
}

// Yield names the columns that are omitted if the table does not fit: the first column, then the second, until the table fits.
// Columns that are empty in every row are omitted first.
func (t *Table) Yield(columns ...string) *Table {
	t.yielding = columns
	return t
}

// Row adds a row, which may have fewer cells than there are columns.
func (t *Table) Row(cells ...Cell) { t.rows = append(t.rows, cells) }

const (
	gap       = "  "
	narrowest = 8  // the smallest width to which a column is cut so that the others fit
	readable  = 16 // the smallest width to which a column is cut before a column is omitted
)

// Write writes the table. Columns are as wide as their widest cell. If the table is too wide for the output, cells are cut, but
// stay long enough to be read. If that is not enough, columns are omitted as [Table.Yield] says, and finally cells are cut
// further. No line is wider than the output.
func (t *Table) Write(out *Output) error {
	t = t.fitting(out.Width)
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

// fitting returns the table without the columns that yield at this width.
func (t *Table) fitting(limit int) *Table {
	yielding := slices.Clone(t.yielding)
	slices.SortStableFunc(yielding, func(a, b string) int {
		return t.emptyFirst(a) - t.emptyFirst(b)
	})
	for _, name := range yielding {
		if limit == 0 || t.least() <= limit {
			break
		}
		if column := slices.Index(t.heading, name); column >= 0 {
			t = t.without(column)
		}
	}
	return t
}

// emptyFirst returns 0 for a column without any text, and 1 for other columns.
func (t *Table) emptyFirst(name string) int {
	column := slices.Index(t.heading, name)
	for _, row := range t.rows {
		if column >= 0 && column < len(row) && row[column].text != "" {
			return 1
		}
	}
	return 0
}

// least returns the width of the table if its cells are cut to the shortest readable length.
func (t *Table) least() int {
	whole := t.whole()
	sum := len(gap) * (len(t.heading) - 1)
	for i, width := range t.natural() {
		if !whole[i] {
			width = min(width, max(readable, Width(t.heading[i])))
		}
		sum += width
	}
	return sum
}

// without returns the table without a column.
func (t *Table) without(column int) *Table {
	less := *t
	less.wrapped = t.wrapped && column != len(t.heading)-1
	less.heading = slices.Delete(slices.Clone(t.heading), column, column+1)
	less.rows = make([][]Cell, len(t.rows))
	for i, row := range t.rows {
		less.rows[i] = row
		if column < len(row) {
			less.rows[i] = slices.Delete(slices.Clone(row), column, column+1)
		}
	}
	return &less
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

// natural returns the widths of the widest cells.
func (t *Table) natural() []int {
	widths := make([]int, len(t.heading))
	for i, name := range t.heading {
		widths[i] = Width(name)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell.text))
		}
	}
	return widths
}

// widths returns the columns' widths, within limit.
func (t *Table) widths(limit int) []int {
	widths := t.natural()
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
	// If even that does not fit, the last columns are omitted.
	for i := len(widths) - 1; i >= 0 && excess > 0; i-- {
		taken := min(excess, widths[i])
		widths[i], excess = widths[i]-taken, excess-taken
	}
	return widths
}

// whole returns, for each column, whether it must not be cut.
func (t *Table) whole() []bool {
	whole := make([]bool, len(t.heading))
	for _, row := range t.rows {
		for i, cell := range row {
			whole[i] = whole[i] || cell.whole || cell.right || len(cell.parts) > 0
		}
	}
	return whole
}

// Fields writes pairs of names and values, each in a line. Pairs without a value are omitted.
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
	"●", "*", "○", "o", "◎", "O", "◐", ">", "◑", ">", "↻", "r", "‖", "w", "✗", "x", "⊘", "-", "◆", "#", "✓", "+", "≡", "=",
)

// plain replaces the characters of a text that the output cannot show.
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

// Say formats according to a format and prints sentences. Lines that are too long are wrapped between words, and continue a
// little to the right.
func (o *Output) Say(format string, arguments ...any) error {
	text := fmt.Sprintf(format, arguments...)
	if o.Width == 0 {
		return o.Print(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		content := strings.TrimSuffix(line, "\n")
		indent := content[:len(content)-len(strings.TrimLeft(content, " "))]
		if Width(content) > o.Width {
			parts := Wrap(content, max(o.Width-len(indent)-len(gap), narrowest))
			content = indent + strings.Join(parts, "\n"+indent+gap)
		}
		b.WriteString(content)
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return o.Print(b.String())
}
