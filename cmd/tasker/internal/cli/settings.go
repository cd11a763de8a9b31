package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

func (a *app) settingsCommands() *cobra.Command {
	return a.group("settings", "Read and change the settings, which are in the database", "docs/settings.md tells what each is for.",
		a.settingsList(), a.settingsShow(), a.settingsSet())
}

// number returns a cell of a number that may have decimals.
func number(f float64) term.Cell {
	return term.Text(strconv.FormatFloat(f, 'g', -1, 64))
}

func (a *app) settingsList() *cobra.Command {
	var changed bool
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List all settings; changed ones are marked",
	}, "an array of tasker.settings: list_settings()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		all, err := e.ListSettings(ctx)
		if err != nil {
			return err
		}
		settings := all[:0]
		for _, s := range all {
			if !changed || s.Value != s.DefaultValue {
				settings = append(settings, s)
			}
		}
		table := term.NewTable("SETTING", "VALUE", "DEFAULT", "CHANGED", "DESCRIPTION").Yield("CHANGED", "DEFAULT")
		return list(a, settings, "all settings have their defaults", table, func(s executor.Setting) []term.Cell {
			value, by := term.Text(s.Value), ""
			if s.Value != s.DefaultValue {
				value = term.Colored(s.Value, term.Yellow)
			}
			if s.ChangedAt != nil {
				by = join(" by ", a.at(*s.ChangedAt), text(s.ChangedBy))
			}
			return []term.Cell{term.Text(s.Name).Uncut(), value, term.Text(s.DefaultValue), term.Text(by), term.Text(s.Description)}
		})
	})
	command.Flags().BoolVar(&changed, "changed", false, "only settings that differ from their defaults")
	return command
}

func (a *app) settingsShow() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:               "show NAME",
		Short:             "Show a setting: its purpose, its allowed values, and who changed it",
		Example:           "  tasker settings show lease_seconds",
		ValidArgsFunction: a.complete(a.settings),
	}, "an object of tasker.settings: list_settings()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if _, err := e.GetSetting(ctx, args[0]); err != nil {
			return err
		}
		all, err := e.ListSettings(ctx)
		if err != nil {
			return err
		}
		s := all[slices.IndexFunc(all, func(s executor.Setting) bool { return s.Name == args[0] })]
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(s, func() error {
			bounds := ""
			if s.Minimum != nil && s.Maximum != nil {
				bounds = fmt.Sprintf(" from %s to %s", number(*s.Minimum), number(*s.Maximum))
			}
			return term.Fields(a.out,
				"setting", s.Name,
				"value", s.Value,
				"default", s.DefaultValue,
				"kind", s.Kind+bounds,
				"choices", join(", ", s.Choices...),
				"changed", a.when(s.ChangedAt, now),
				"by", text(s.ChangedBy),
				"is for", s.Description,
			)
		})
	})
}

func (a *app) settingsSet() *cobra.Command {
	var toDefault bool
	command := a.leaf(cobra.Command{
		Use:               "set NAME [VALUE]",
		Short:             "Change a setting; it applies from the next call of any function on",
		Example:           "  tasker settings set lease_seconds 120\n  tasker settings set lease_seconds --default",
		ValidArgsFunction: a.complete(a.settings),
	}, "an object: name, value, previous_value", func(ctx context.Context, args []string) error {
		if toDefault == (len(args) == 2) {
			return &problem{Exit: exitUsage, Message: "settings set takes either a value or --default", Hint: "See tasker settings set --help."}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		var value *string
		if !toDefault {
			value = &args[1]
		}
		previous, err := e.SetSetting(ctx, args[0], value, a.act)
		if err != nil {
			return err
		}
		current, err := e.GetSetting(ctx, args[0])
		if err != nil {
			return err
		}
		result := map[string]string{"name": args[0], "value": current, "previous_value": previous}
		return a.show(result, func() error {
			if previous == current {
				return a.out.Say("%s is %s already\n", args[0], current)
			}
			return a.out.Say("%s is %s, was %s\n", args[0], current, previous)
		})
	})
	command.Flags().BoolVar(&toDefault, "default", false, "set it to its default")
	return a.acting(command)
}
