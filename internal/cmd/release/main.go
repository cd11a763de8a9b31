// Command release makes the files of a release in a folder and publishes none. It is run from the repository's root:
//
//	go run ./internal/cmd/release [-platforms linux/amd64,…] [-clients=false] DIR
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/release"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	platforms := flag.String("platforms", strings.Join(release.Platforms, ","), "for which platforms, with commas")
	clients := flag.Bool("clients", true, "make the Python wheel and the npm package, too")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("usage: release [-platforms LIST] [-clients=false] DIR")
	}
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	return release.Make(ctx, release.Config{
		Root: root, Folder: flag.Arg(0), Platforms: strings.Split(*platforms, ","), Clients: *clients,
		Say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) },
	})
}
