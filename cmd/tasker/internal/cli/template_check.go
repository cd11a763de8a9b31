package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
)

// checkedTemplate is the JSON of one template.
type checkedTemplate struct {
	Namespace string                `json:"namespace"`
	Name      string                `json:"name"`
	Version   string                `json:"version"`
	Findings  []gen.TemplateFinding `json:"findings"`
}

func (a *app) templateCheck() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "check PATH...",
		Short: "Report the effects of deploying the templates of YAML files to the current database",
		Long: `Report the effects of deploying the templates of a YAML file, or of all files *.yaml and *.yml in a directory
and below it. For each template the report has:

  problem, content  the version cannot be registered
  types             the digest of the types that programs registered for the version, and the programs that were refused with others
  open_tasks        how many open tasks of which other version meet the new handlers
  vanished_step     steps that open tasks have yet to settle, and that the new version does not have
  condition         conditions that none of the recent results satisfies, or that all do
  no_handler        handlers that no running worker has
  input             contexts of schedules and of open tasks that do not fit the schema of the input
  fork              what a fork of the open tasks to the new version runs again
  bound             how many of how many open tasks were judged, if not all

The command changes nothing. It reads at most the newest 1,000 open tasks of a template, and for forks the newest 100 open
tasks. The exit code is 8 if a version cannot be registered.`,
		Example: "  tasker template check order.yaml\n  tasker template check templates/ --json",
	}, "an array: namespace, name, version, findings (check_template_change())", func(ctx context.Context, args []string) error {
		templates, err := loadTemplates(args)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		checked := []checkedTemplate{}
		failed := false
		for _, t := range templates {
			content, err := t.JSON()
			if err != nil {
				return err
			}
			findings, err := e.CheckTemplateChange(ctx, content)
			if err != nil {
				return fmt.Errorf("%s/%s: %w", t.Namespace, t.Name, err)
			}
			if findings == nil {
				findings = []gen.TemplateFinding{}
			}
			for _, f := range findings {
				failed = failed || f.Status == "fail"
			}
			checked = append(checked, checkedTemplate{t.Namespace, t.Name, t.Version, findings})
		}
		if err := a.show(checked, func() error { return a.printChecked(checked) }); err != nil {
			return err
		}
		if failed {
			return silent
		}
		return nil
	})
}

func (a *app) printChecked(checked []checkedTemplate) error {
	for _, one := range checked {
		name := one.Namespace + "/" + one.Name
		if one.Version != "" {
			name += "@" + one.Version
		}
		if len(one.Findings) == 0 {
			if err := a.out.Say("%s: %s\n", name, a.out.Paint("nothing stands against it", term.Green)); err != nil {
				return err
			}
			continue
		}
		if err := a.out.Say("%s\n", name); err != nil {
			return err
		}
		table := term.NewTable("", "", "").Wrap()
		for _, f := range one.Findings {
			mark := term.Colored("✓", term.Green)
			switch f.Status {
			case "warn":
				mark = term.Colored("!", term.Yellow)
			case "fail":
				mark = term.Colored("✗", term.Red)
			}
			table.Row(mark, term.Text(f.Kind), term.Text(f.Finding))
			if hint := findingHint(f); hint != "" {
				table.Row(term.Text(""), term.Text(""), term.Colored(hint, term.Dim))
			}
		}
		if err := table.Write(a.out); err != nil {
			return err
		}
	}
	return nil
}

// findingHint is the remedy in the detail of a finding.
func findingHint(f gen.TemplateFinding) string {
	var detail struct {
		Hint        string `json:"hint"`
		Nearest     string `json:"nearest"`
		Differences string `json:"differences"`
	}
	if json.Unmarshal(f.Detail, &detail) != nil {
		return ""
	}
	if detail.Nearest != "" {
		return "did you mean " + quote(detail.Nearest) + "?"
	}
	return join("; ", detail.Hint, detail.Differences)
}
