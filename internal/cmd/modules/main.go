// Command modules checks the repository's modules as users will get them. It is run from the repository's root:
//
//	go run ./internal/cmd/modules tidy         names each go.mod and go.sum that is not tidy, and fails if there is one
//	go run ./internal/cmd/modules tidy -w      corrects these files
//	go run ./internal/cmd/modules consume      installs and gets the modules from empty directories
//	go run ./internal/cmd/modules proxy DIR    writes the modules into DIR: GOPROXY=file://DIR
//	go run ./internal/cmd/modules tags         prints the tags of the release, one for each module
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/pgtasker/pgtasker/internal/modules"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

var errUsage = errors.New("usage: modules tidy [-w] | consume | proxy DIR | tags")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) == 0 {
		return errUsage
	}
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	world, err := modules.NewWorld(ctx, root, say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, world.Close()) }()
	switch {
	case args[0] == "tidy" && len(args) == 1:
		return world.Tidy(ctx, false)
	case args[0] == "tidy" && len(args) == 2 && args[1] == "-w":
		return world.Tidy(ctx, true)
	case args[0] == "consume" && len(args) == 1:
		return world.Consume(ctx)
	case args[0] == "proxy" && len(args) == 2:
		return modules.Pack(root, args[1], world.Version, world.Modules)
	case args[0] == "tags" && len(args) == 1:
		for _, m := range world.Modules {
			if m.Released() {
				say("%s", m.Tag(world.Version))
			}
		}
		return nil
	default:
		return errUsage
	}
}
