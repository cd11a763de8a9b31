package cli

import (
	"context"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// versions is the JSON output.
type versions struct {
	Tasker string `json:"tasker"`
	Commit string `json:"commit,omitempty"`
	Go     string `json:"go"`
	// Schema is the newest migration in this program.
	Schema string `json:"schema"`
}

func (a *app) versionCommand() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "version",
		Short: "Print the versions of this program and of its schema; needs no database",
	}, "an object: tasker, commit, go, schema (its newest migration)", func(context.Context, []string) error {
		v, err := readVersions()
		if err != nil {
			return err
		}
		return a.show(v, func() error {
			return term.Fields(a.out, "tasker", v.Tasker, "commit", v.Commit, "go", v.Go, "schema", v.Schema)
		})
	})
}

// buildVersion is the version in "tasker --version": the release, or "(devel)" in a checkout.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func readVersions() (versions, error) {
	v := versions{Tasker: buildVersion()}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.Go = info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value
			}
		}
	}
	names, err := fs.Glob(pgtasker.Migrations(), "*.sql")
	if err == nil && len(names) > 0 {
		v.Schema = strings.TrimSuffix(names[len(names)-1], ".sql")
	}
	return v, err
}
