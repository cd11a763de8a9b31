package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Reference returns all commands as Markdown, for docs/cli.md.
func Reference() string {
	a := newApp(Process{Getenv: func(string) string { return "" }})
	var b strings.Builder
	for _, command := range Leaves(a.root) {
		describeCommand(&b, command)
	}
	return b.String()
}

// ExitCodes returns the exit codes as a table of Markdown.
func ExitCodes() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n|---|---|\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s |\n", e.code, e.meaning)
	}
	return b.String()
}

// GlobalFlags returns the flags that every command has.
func GlobalFlags() string {
	a := newApp(Process{Getenv: func(string) string { return "" }})
	return "```\n" + a.root.PersistentFlags().FlagUsages() + "```\n"
}

// Leaves returns the commands below a command that hold no other command, in the order of the help.
func Leaves(command *cobra.Command) []*cobra.Command {
	if _, does := command.Annotations[jsonAnnotation]; does {
		return []*cobra.Command{command}
	}
	var leaves []*cobra.Command
	for _, child := range command.Commands() {
		leaves = append(leaves, Leaves(child)...)
	}
	return leaves
}

func describeCommand(b *strings.Builder, command *cobra.Command) {
	fmt.Fprintf(b, "### %s\n\n", command.CommandPath())
	if command.Long != "" {
		b.WriteString(markdown(command.Long))
	} else {
		b.WriteString(command.Short + ".\n")
	}
	flags := command.LocalNonPersistentFlags().FlagUsages()
	usage := command.CommandPath() + strings.TrimPrefix(command.Use, command.Name())
	if flags != "" {
		usage += " [flags]\n\n" + strings.TrimRight(flags, "\n")
	}
	fmt.Fprintf(b, "\n```\n%s\n```\n", usage)
	if command.Example != "" {
		var examples []string
		for line := range strings.SplitSeq(command.Example, "\n") {
			examples = append(examples, strings.TrimPrefix(line, "  "))
		}
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.Join(examples, "\n"))
	}
	fmt.Fprintf(b, "\n`--json`: %s.\n\n", command.Annotations[jsonAnnotation])
}

// markdown returns a help text as Markdown, with its indented lines as code blocks.
func markdown(text string) string {
	var b strings.Builder
	block := false
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != block {
			b.WriteString("```\n")
			block = indented
		}
		b.WriteString(line + "\n")
	}
	if block {
		b.WriteString("```\n")
	}
	return b.String()
}

// flagKind describes the kind of a flag's value.
func flagKind(flag *pflag.Flag) string {
	switch kind := flag.Value.Type(); {
	case kind == "bool":
		return "switch"
	case kind == "duration" || strings.HasPrefix(kind, "duration["):
		return "duration"
	case strings.HasPrefix(kind, "int") || kind == "float64":
		return "number"
	}
	return "text"
}

// flagUse is a flag with the commands that have it.
type flagUse struct {
	name, short, kind string
	commands          []string
}

// flagUses returns the flags of all commands by their names, once for each short form and kind of value.
func flagUses() []flagUse {
	var uses []flagUse
	for _, command := range Leaves(newApp(Process{Getenv: func(string) string { return "" }}).root) {
		command.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			name := strings.TrimPrefix(command.CommandPath(), "tasker ")
			for i, u := range uses {
				if u.name == flag.Name && u.short == flag.Shorthand && u.kind == flagKind(flag) {
					uses[i].commands = append(uses[i].commands, name)
					return
				}
			}
			uses = append(uses, flagUse{flag.Name, flag.Shorthand, flagKind(flag), []string{name}})
		})
	}
	slices.SortStableFunc(uses, func(a, b flagUse) int { return strings.Compare(a.name, b.name) })
	return uses
}

// SharedFlags returns the flags that two or more commands have, as a table of Markdown.
func SharedFlags() string {
	const most = 12
	var b strings.Builder
	b.WriteString("| flag | value | commands |\n|---|---|---|\n")
	for _, use := range flagUses() {
		if len(use.commands) < 2 || use.name == "help" {
			continue
		}
		short := ""
		if use.short != "" {
			short = ", `-" + use.short + "`"
		}
		commands := strings.Join(use.commands[:min(len(use.commands), most)], ", ")
		if more := len(use.commands) - most; more > 0 {
			commands += fmt.Sprintf(", and %d more", more)
		}
		fmt.Fprintf(&b, "| `--%s`%s | %s | %s |\n", use.name, short, use.kind, commands)
	}
	return b.String()
}
