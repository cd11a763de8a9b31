package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Reference returns all commands as a page of Markdown: what docs/cli.md says of them.
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

// Leaves returns the commands below a command that do something, in the order of the help.
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

// markdown returns a help text, its indented lines as a block.
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
