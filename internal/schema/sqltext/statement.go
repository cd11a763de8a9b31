package sqltext

import (
	"iter"
	"slices"
	"strings"
)

// Statement is the tokens of one statement, without its semicolon.
type Statement []Token

// Split cuts a text into its statements. Semicolons in the body of a "begin atomic" function belong
// to the function.
func Split(src string) ([]Statement, error) {
	tokens, err := Tokens(src)
	if err != nil {
		return nil, err
	}
	var (
		statements []Statement
		start      int
		depth      int // depth of begin atomic … end and, inside it, of case … end
	)
	for i, token := range tokens {
		switch {
		case token.Is("atomic") && i > 0 && tokens[i-1].Is("begin"):
			depth++
		case token.Is("case") && depth > 0:
			depth++
		case token.Is("end") && depth > 0:
			depth--
		case token.Is(";") && depth == 0:
			if i > start {
				statements = append(statements, tokens[start:i])
			}
			start = i + 1
		}
	}
	if start < len(tokens) {
		statements = append(statements, tokens[start:])
	}
	return statements, nil
}

// Begins reports whether the statement begins with the given words.
func (s Statement) Begins(words ...string) bool {
	if len(s) < len(words) {
		return false
	}
	for i, word := range words {
		if !s[i].Is(word) {
			return false
		}
	}
	return true
}

// Mentions reports whether a dotted name, such as tasker.clock, occurs in the statement outside of strings and comments, alone
// or followed by a column.
func (s Statement) Mentions(name string) bool {
	for i := range s {
		if i > 0 && s[i-1].Is(".") {
			continue
		}
		if found, _ := s.nameAt(i); found == name || strings.HasPrefix(found, name+".") {
			return true
		}
	}
	return false
}

// String returns the statement's tokens with one space between them. Two statements that differ only in layout, comments and
// the case of key words have the same string.
func (s Statement) String() string {
	words := make([]string, len(s))
	for i, token := range s {
		words[i] = token.Text
	}
	return strings.Join(words, " ")
}

// nameAt reads a dotted name that begins at token i. It returns the name and the index after the name, or "" and i if there is
// no name.
func (s Statement) nameAt(i int) (name string, end int) {
	var parts []string
	for end = i; end < len(s) && (s[end].Kind == Word || s[end].Kind == Quoted); end += 2 {
		parts = append(parts, s[end].Text)
		if end+1 >= len(s) || !s[end+1].Is(".") {
			return strings.Join(parts, "."), end + 1
		}
	}
	return strings.Join(parts, "."), end
}

// index returns the index of the first occurrence of the word or symbol, at or after from and outside of parentheses. If there
// is none, it returns -1.
func (s Statement) index(from int, text string) int {
	depth := 0
	for i := from; i < len(s); i++ {
		switch {
		case depth == 0 && s[i].Is(text):
			return i
		case s[i].Is("("):
			depth++
		case s[i].Is(")"):
			depth--
		}
	}
	return -1
}

// split cuts the statement at a symbol that stands outside of parentheses.
func (s Statement) split(symbol string) iter.Seq[Statement] {
	return func(yield func(Statement) bool) {
		for {
			at := s.index(0, symbol)
			if at < 0 {
				yield(s)
				return
			}
			if !yield(s[:at]) {
				return
			}
			s = s[at+1:]
		}
	}
}

// closing returns the index of the parenthesis that closes the parenthesis at the index open. If no parenthesis closes it,
// closing returns the last index.
func (s Statement) closing(open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		if s[i].Is("(") {
			depth++
		} else if s[i].Is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s) - 1
}

// isOneOf reports whether the token is one of the words.
func isOneOf(t Token, words ...string) bool {
	return slices.ContainsFunc(words, t.Is)
}
