// Package page reads the Markdown pages of docs/ and follows their steps, so that no page says something untrue.
//
// One reader with an empty directory, a shell and psql follows a page from top to bottom:
//
//	```sh      ──▶ one bash for the whole page: variables, directories and background jobs stay
//	```sql     ──▶ one psql for the whole page: variables and transactions stay
//	```text    ──▶ the output of the block before, in which "…" stands for any lines
//	```go      ──▶ a file, if the first line is a comment with its name, else part of a Go test, see [Page.Excerpts]
//	```python  ──▶ with the name of a file: part of that program of clients/python/examples/howto, see [Page.Programs];
//	```ts          so is ts, of clients/typescript/examples/howto. Without a name ts is as go
//	```yaml    ──▶ a file, and so is SQL whose first line is a comment with a file's name
//	```mermaid ──▶ a picture, which is not run
//
// A word after the language changes how a block is run. "error" says that the SQL must fail. "skip" says that the test does not
// run the block, because a test lacks something that the block needs. The page then says so.
//
// The generated part (between "<!-- generated: … -->" and "<!-- end -->") is reference, and is skipped.
//
// Identifiers, times and the width of columns differ from run to run and are not compared.
package page

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Block is a fenced block of a page.
type Block struct {
	Line     int
	Language string
	// Option is the word after the language: error, skip, the name of a program, or nothing.
	Option string
	Text   string
	// File is the name that the first line gives to the block, or nothing.
	File string
}

// Page is a page with its blocks, in order.
type Page struct {
	Name   string
	Text   string
	Blocks []Block
}

// Read reads a page and refuses blocks of an unknown kind.
func Read(path string) (*Page, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &Page{Name: path, Text: string(text)}
	if p.Blocks, err = parse(string(text)); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return p, nil
}

var fileName = regexp.MustCompile(`^(?://|#|--) ([\w./-]+\.\w+)\n`)

func parse(text string) (blocks []Block, err error) {
	var open *Block
	line, generated := 0, false
	for content := range strings.Lines(text) {
		line++
		info, fence := strings.CutPrefix(content, "```")
		switch {
		case generated, strings.HasPrefix(content, "<!-- generated:"):
			generated = !strings.HasPrefix(content, "<!-- end -->")
		case fence && open == nil:
			open = &Block{Line: line}
			open.Language, open.Option, _ = strings.Cut(strings.TrimSpace(info), " ")
		case fence:
			if match := fileName.FindStringSubmatch(open.Text); match != nil {
				open.File = match[1]
			}
			if err := open.check(); err != nil {
				return nil, fmt.Errorf("%d: %w", open.Line, err)
			}
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.Text += content
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%d: the block has no end", open.Line)
	}
	return blocks, nil
}

func (b Block) check() error {
	switch b.Language {
	case "sh", "sql", "text", "go", "ts", "python", "yaml", "mermaid":
	default:
		return fmt.Errorf("a block in %q cannot be run", b.Language)
	}
	switch {
	case b.Program() != "":
	case b.Language == "python":
		return fmt.Errorf("a block in python names the program of clients/python/examples/howto that has it: python retries.py")
	case b.Option == "", b.Option == "skip", b.Option == "error" && b.Language == "sql":
	default:
		return fmt.Errorf("%s %s: unknown option", b.Language, b.Option)
	}
	if b.Language == "yaml" && b.File == "" {
		return fmt.Errorf("the first line of YAML is a comment with the file's name")
	}
	return nil
}

// Excerpts returns the Go of a page that is part of a test and not a file of its own. The test is compiled and runs.
func (p *Page) Excerpts() (excerpts []Block) {
	for _, b := range p.Blocks {
		if b.Language == "go" && b.File == "" && b.Option != "skip" {
			excerpts = append(excerpts, b)
		}
	}
	return excerpts
}

// Programs returns the Python and TypeScript of a page, which are parts of programs that the clients' own tests run.
func (p *Page) Programs() (programs []Block) {
	for _, b := range p.Blocks {
		if b.Program() != "" {
			programs = append(programs, b)
		}
	}
	return programs
}

// Program returns the path of the program that has the block, or nothing.
func (b Block) Program() string {
	switch {
	case b.Language == "python" && strings.HasSuffix(b.Option, ".py"):
		return "clients/python/examples/howto/" + b.Option
	case b.Language == "ts" && strings.HasSuffix(b.Option, ".ts"):
		return "clients/typescript/examples/howto/" + b.Option
	}
	return ""
}

// Copied says whether the paragraphs of a block stand in source in their order, with their indentation in source.
func (b Block) Copied(source string) bool {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(b.Text), "\n\n") {
		_, after, found := strings.Cut("\n"+source, "\n"+strings.Trim(paragraph, "\n")+"\n")
		if !found {
			return false
		}
		source = after
	}
	return true
}

// Contains says whether the paragraphs of an excerpt stand in source. Other lines may stand between them, such as a
// test's checks of the page's statements.
func (b Block) Contains(source string) bool {
	source = flat(source)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(flat(b.Text)), "\n\n") {
		if !strings.Contains(source, "\n"+paragraph+"\n") {
			return false
		}
	}
	return true
}

// flat returns Go without indentation, so that an excerpt matches at any depth.
func flat(text string) string {
	var out strings.Builder
	out.WriteByte('\n')
	for line := range strings.Lines(text) {
		out.WriteString(strings.TrimSpace(line))
		out.WriteByte('\n')
	}
	return out.String()
}
