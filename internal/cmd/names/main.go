// Command names lists the exported names of the public packages, and counts them:
//
//	go run ./internal/cmd/names            # the number of names, by package
//	go run ./internal/cmd/names -list      # the names themselves, with the fields of structs
//	go run ./internal/cmd/names -update    # writes face.tsv, the list that a test compares with the tree
//
// A name is a type, a function, a method, a constant or a variable. The exported fields of a struct and the methods of an
// interface stand in the row of their type and are not counted. A struct of package gen that another package names by an
// alias has its fields in the row of the alias, because users see them. A struct of gen that an exported function takes or returns
// has a row of kind "row", which is not counted.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

func main() {
	list := flag.Bool("list", false, "list the names")
	update := flag.Bool("update", false, "write face.tsv")
	flag.Parse()
	root, err := checkout.Root()
	if err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
	rows, err := walk(root)
	if err == nil && *update {
		err = os.WriteFile(filepath.Join(root, golden), []byte(text(rows)), 0o644)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	case *list:
		fmt.Print(text(rows))
	default:
		fmt.Print(counts(rows))
	}
}
