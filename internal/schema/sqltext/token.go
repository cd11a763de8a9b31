package sqltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a Token.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota + 1 // an identifier or key word without quotes, folded to lower case
	Quoted                 // an identifier in double quotes, quotes included
	Number                 // digits, and the characters that follow without a space
	String                 // a constant in single quotes or dollar quotes, quotes included
	Symbol                 // one character of an operator or of punctuation
)

// Token is one lexical element of a text.
type Token struct {
	Kind Kind
	Text string
}

// Is reports whether the token is the given word or symbol.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Symbol) && t.Text == text
}

// Tokens cuts a text into tokens and drops comments and white space. It fails on a comment or a
// quotation that does not end, and names the line where it begins.
func Tokens(src string) ([]Token, error) {
	var tokens []Token
	for at := 0; at < len(src); {
		token, length, err := next(src[at:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", 1+strings.Count(src[:at], "\n"), err)
		}
		if token.Kind != 0 {
			tokens = append(tokens, token)
		}
		at += length
	}
	return tokens, nil
}

// next returns the token at the beginning of rest and its length in bytes. For white space and comments the token has no kind,
// but the length counts.
func next(rest string) (Token, int, error) {
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsSpace(first):
		return Token{}, size, nil
	case strings.HasPrefix(rest, "--"):
		return Token{}, lengthUntil(rest, "\n"), nil
	case strings.HasPrefix(rest, "/*"):
		length, err := blockComment(rest)
		return Token{}, length, err
	case first == '\'':
		return quoted(String, rest, 0, '\'', false)
	case (first == 'e' || first == 'E') && strings.HasPrefix(rest[1:], "'"):
		return quoted(String, rest, 1, '\'', true)
	case first == '"':
		return quoted(Quoted, rest, 0, '"', false)
	case first == '$' && dollarTag(rest) != "":
		return dollarQuoted(rest, dollarTag(rest))
	case isWordStart(first):
		length := lengthWhile(rest, isWordPart)
		return Token{Word, strings.ToLower(rest[:length])}, length, nil
	case unicode.IsDigit(first):
		length := lengthWhile(rest, func(r rune) bool { return isWordPart(r) || r == '.' })
		return Token{Number, rest[:length]}, length, nil
	default:
		return Token{Symbol, rest[:size]}, size, nil
	}
}

// quoted reads a quotation whose opening quote is at rest[open]. A doubled quote stands for itself.
// If escapes is true, a quote after a backslash also stands for itself.
func quoted(kind Kind, rest string, open int, quote byte, escapes bool) (Token, int, error) {
	for at := open + 1; at < len(rest); at++ {
		switch {
		case escapes && rest[at] == '\\':
			at++
		case rest[at] != quote:
		case at+1 < len(rest) && rest[at+1] == quote:
			at++
		default:
			return Token{kind, rest[:at+1]}, at + 1, nil
		}
	}
	return Token{}, 0, fmt.Errorf("a quotation opened by %c does not end", quote)
}

// dollarTag returns the opening delimiter of a dollar-quoted string ($$ or $tag$) that rest begins
// with, or "" if it begins with something else, such as a parameter.
func dollarTag(rest string) string {
	length := 1 + lengthWhile(rest[1:], func(r rune) bool { return isWordPart(r) && r != '$' })
	if length >= len(rest) || rest[length] != '$' || unicode.IsDigit(rune(rest[1])) {
		return ""
	}
	return rest[:length+1]
}

func dollarQuoted(rest, tag string) (Token, int, error) {
	body := strings.Index(rest[len(tag):], tag)
	if body < 0 {
		return Token{}, 0, fmt.Errorf("a quotation opened by %s does not end", tag)
	}
	length := len(tag) + body + len(tag)
	return Token{String, rest[:length]}, length, nil
}

// blockComment returns the length of the comment that rest begins with. Block comments nest.
func blockComment(rest string) (int, error) {
	depth := 0
	for at := 0; at+1 < len(rest); at++ {
		switch rest[at : at+2] {
		case "/*":
			depth++
			at++
		case "*/":
			depth--
			at++
			if depth == 0 {
				return at + 1, nil
			}
		}
	}
	return 0, fmt.Errorf("a comment opened by /* does not end")
}

func isWordStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func isWordPart(r rune) bool { return isWordStart(r) || unicode.IsDigit(r) || r == '$' }

func lengthWhile(text string, holds func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !holds(r) }); end >= 0 {
		return end
	}
	return len(text)
}

func lengthUntil(text, end string) int {
	if at := strings.Index(text, end); at >= 0 {
		return at
	}
	return len(text)
}
