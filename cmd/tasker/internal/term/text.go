package term

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Clean returns text in one line without control characters. It replaces each run of white space by a blank, and each character
// that could steer a terminal, or change the direction of writing, by a replacement character.
func Clean(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteRune(shown(r))
	}
	return b.String()
}

// CleanLines is Clean for a text of several lines, whose line breaks and indentation stay.
func CleanLines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return shown(r)
	}, text)
}

func shown(r rune) rune {
	if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) {
		return unicode.ReplacementChar
	}
	return r
}

// Width returns how many columns a text takes. The text must be cleaned by Clean.
func Width(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut returns text, cut to the given number of columns. If something was cut off, the last column is an ellipsis.
func Cut(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	if columns < 1 {
		return ""
	}
	used := 0
	for i, r := range text {
		if used += runeWidth(r); used > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Wrap breaks text between words into lines of at most the given number of columns. 0 is no limit. A longer word gets a
// separate line.
func Wrap(text string, columns int) []string {
	if columns < 1 || Width(text) <= columns {
		return []string{text}
	}
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= columns:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
