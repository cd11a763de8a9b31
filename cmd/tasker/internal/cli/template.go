package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/draw"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inputdoc"
	"github.com/pgtasker/pgtasker/internal/taskercore"
	"github.com/pgtasker/pgtasker/template"
)

func (a *app) templateCommands() *cobra.Command {
	return a.group("template", "Show, pause and retire task templates", `A template is named NAMESPACE/NAME, its newest version is meant, or NAMESPACE/NAME@VERSION.
"tasker apply" registers templates.`,
		a.templateList(), a.templateShow(), a.templateCheck(), a.templateRetire(), a.templatePause(), a.templateResume(), a.templateConvert(), a.templateSchema())
}

func (a *app) templateList() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:               "list [NAMESPACE]",
		Short:             "List the registered templates, newest version first",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an array of tasker.task_template_summaries: list_task_templates()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		namespace := ""
		if len(args) == 1 {
			namespace = args[0]
		}
		templates, err := e.ListTaskTemplates(ctx, namespace)
		if err != nil {
			return err
		}
		table := term.NewTable("TEMPLATE", "VERSION", "STEPS", "REGISTERED", "DESCRIPTION").Yield("REGISTERED")
		return list(a, templates, "there are no templates", table, func(t gen.TaskTemplateSummary) []term.Cell {
			version := t.Version
			if t.RetiredAt != nil {
				version += " (retired)"
			}
			return []term.Cell{
				term.Text(t.Namespace + "/" + t.Name), term.Text(version), term.Number(t.StepCount),
				term.Text(a.at(t.CreatedAt)).Uncut(), term.Text(text(t.Description)),
			}
		})
	})
}

// shownTemplate is a template as --json prints it, with the hash in hexadecimal as in psql.
type shownTemplate struct {
	gen.TaskTemplate
	ContentHash string `json:"content_hash"`
}

func (a *app) templateShow() *cobra.Command {
	var (
		asYAML bool
		format chartFormat
	)
	command := a.leaf(cobra.Command{
		Use:   "show TEMPLATE",
		Short: "Show a template and draw its graph",
		Example: "  tasker template show shop/order\n  tasker template show shop/order@1.0.0 --yaml > order.yaml\n" +
			"  tasker template show shop/order --format dot | dot -Tsvg > order.svg",
		ValidArgsFunction: a.complete(a.templates),
	}, "an object of tasker.task_templates: get_task_template()", func(ctx context.Context, args []string) error {
		r, err := parseReference(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		t, err := e.GetTaskTemplate(ctx, r.namespace, r.name, text(r.version))
		if err != nil {
			return err
		}
		return a.show(shownTemplate{t, hex.EncodeToString(t.ContentHash)}, func() error {
			if asYAML {
				file, err := templateFile(t.Template)
				if err != nil {
					return err
				}
				_, err = a.Out.Write([]byte(file))
				return err
			}
			if format != "" {
				chart, err := templateChart(t.Namespace+"/"+t.Name+"@"+t.Version, t.Template)
				if err != nil {
					return err
				}
				return a.printChart(format, chart)
			}
			return a.printTemplate(t)
		})
	})
	command.Flags().BoolVar(&asYAML, "yaml", false, `print the file that "tasker apply" takes`)
	format.flag(command)
	command.MarkFlagsMutuallyExclusive("yaml", "format")
	return command
}

// convertedTemplate is a converted template as --json prints it.
type convertedTemplate struct {
	File  string            `json:"file"`
	YAML  string            `json:"yaml"`
	Notes []taskercore.Note `json:"notes"`
}

func (a *app) templateConvert() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "convert FILE...",
		Short: "Convert templates of tasker-core to templates of pgtasker",
		Long: `Convert YAML files of tasker-core, and print the templates that "tasker apply" takes. "-" reads the standard
input. The standard error names each field without a counterpart, with its line and a remedy. docs/from-tasker-core.md has the
table of fields.`,
		Example: "  tasker template convert payment.yaml > converted/payment.yaml && tasker apply converted",
		Args:    cobra.MinimumNArgs(1),
	}, "an array of objects: file, yaml, notes", func(_ context.Context, args []string) error {
		all := []convertedTemplate{}
		for _, name := range args {
			one, err := a.convert(name)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return a.show(all, func() error {
			for i, one := range all {
				if i > 0 {
					one.YAML = "---\n" + one.YAML
				}
				if _, err := io.WriteString(a.Out, one.YAML); err != nil {
					return err
				}
				for _, note := range one.Notes {
					if _, err := fmt.Fprintf(a.Err, "%s: %s\n", one.File, note); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// convert reads a file of tasker-core.
func (a *app) convert(name string) (convertedTemplate, error) {
	converted := convertedTemplate{File: name, Notes: []taskercore.Note{}}
	in := a.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return converted, err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	templates, notes, err := taskercore.Convert(in)
	if err != nil {
		return converted, &problem{Exit: exitInvalid, Message: name + ": " + err.Error(), Hint: "Name a YAML file with templates of tasker-core."}
	}
	converted.Notes = append(converted.Notes, notes...)
	for i, t := range templates {
		text, err := t.YAML()
		if err != nil {
			return converted, err
		}
		if i > 0 {
			converted.YAML += "---\n"
		}
		converted.YAML += string(text)
	}
	return converted, nil
}

// templateFile converts the database's form of a template to a YAML file.
func templateFile(normal json.RawMessage) (string, error) {
	var t template.Template
	if err := json.Unmarshal(normal, &t); err != nil {
		return "", fmt.Errorf("read the template that the database returned: %w", err)
	}
	file, err := t.YAML()
	return string(file), err
}

func (a *app) printTemplate(t gen.TaskTemplate) error {
	retired := ""
	if t.RetiredAt != nil {
		retired = a.at(*t.RetiredAt)
	}
	err := term.Fields(a.out,
		"template", t.Namespace+"/"+t.Name+"@"+t.Version,
		"description", text(t.Description),
		"identity", t.IdentityStrategy,
		"on failure", t.OnFailure,
		"registered", a.at(t.CreatedAt),
		"retired", retired,
	)
	if err != nil {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	if err := a.printInput(t.Template); err != nil {
		return err
	}
	return a.printTemplateGraph(t.Template)
}

// printInput lists the fields of the input, if the template has a schema for the input.
func (a *app) printInput(normal json.RawMessage) error {
	fields := inputdoc.Fields(inputdoc.Of(normal))
	if len(fields) == 0 {
		return nil
	}
	table := term.NewTable("INPUT", "TYPE", "NEEDED", "BOUNDS", "MEANING").Yield("NEEDED", "BOUNDS")
	for _, f := range fields {
		needed := ""
		if f.Required {
			needed = "yes"
		}
		table.Row(term.Text(f.Path), term.Text(f.Type), term.Text(needed), term.Text(f.Bounds), term.Text(f.About))
	}
	if err := table.Write(a.out); err != nil {
		return err
	}
	return a.out.Print("\n")
}

func (a *app) printTemplateGraph(normal json.RawMessage) error {
	var t template.Template
	if err := json.Unmarshal(normal, &t); err != nil {
		return fmt.Errorf("read the template that the database returned: %w", err)
	}
	place := map[string]int{}
	for i, step := range t.Steps {
		place[step.Name] = i
	}
	nodes := make([]draw.Node, len(t.Steps))
	conditions := make([][]string, len(t.Steps))
	for i, step := range t.Steps {
		nodes[i] = draw.Node{Symbol: "○"}
		for _, dependency := range step.Dependencies {
			nodes[i].Parents = append(nodes[i].Parents, place[dependency.Step])
			name := dependency.Step
			if dependency.When != "" {
				name += " when " + dependency.When
			}
			if dependency.On != "" {
				name += " on " + dependency.On
			}
			conditions[i] = append(conditions[i], name)
		}
	}

	lines, _ := a.drawing(nodes)
	bounded := slices.ContainsFunc(t.Steps, func(step template.Step) bool { return stepBounds(step) != "" })
	heads, yield := []string{"", "STEP", "HANDLER", "JOIN", "TRIES"}, []string{"JOIN", "TRIES", "HANDLER"}
	if bounded {
		heads, yield = append(heads, "BOUNDS"), append([]string{"BOUNDS"}, yield...)
	}
	table := term.NewTable(append(heads, "AFTER")...).Yield(yield...)
	for _, line := range lines {
		if line.Node == draw.None {
			table.Row(line.Cell)
			continue
		}
		step := t.Steps[line.Node]
		work := stepWork(step)
		if step.Compensate != "" {
			work = join("; ", work, "undone by "+step.Compensate)
		}
		cells := []term.Cell{line.Cell, term.Text(step.Name), term.Text(work), term.Text(step.Join), term.Text(tries(step.Retry))}
		if bounded {
			cells = append(cells, term.Text(stepBounds(step)))
		}
		table.Row(append(cells, term.Text(strings.Join(conditions[line.Node], ", ")))...)
	}
	return table.Write(a.out)
}

// stepBounds returns the limit of a step and its timeout, in words.
func stepBounds(step template.Step) string {
	var limit, attempt, wait string
	if step.Limit != "" {
		limit = "limit " + step.Limit
	}
	if step.LimitKey != "" {
		limit += " by " + step.LimitKey
	}
	if step.TimeoutSeconds != nil {
		attempt = span(time.Duration(*step.TimeoutSeconds)*time.Second) + " an attempt"
	}
	if step.Timeout != "" {
		wait = string(step.Timeout)
		if length, err := step.Timeout.Length(); err == nil {
			wait = span(length)
		}
		wait += " at most"
	}
	return join(", ", limit, attempt, wait)
}

// stepWork is the work of a step: its handler, the array of a map, the task that it starts, or its wait.
func stepWork(step template.Step) string {
	switch {
	case step.ForEach != nil && step.ForEach.Step != "" && step.ForEach.Path == "$":
		return join(" ", step.Handler, "for each of", step.ForEach.Step)
	case step.ForEach != nil && step.ForEach.Step != "":
		return join(" ", step.Handler, "for each of", step.ForEach.Path, "of", step.ForEach.Step)
	case step.ForEach != nil:
		return join(" ", step.Handler, "for each of", step.ForEach.Path)
	case len(step.Await) > 0:
		return "waits for " + awaited(step.Await)
	case step.Task == nil:
		return step.Handler
	}
	name := step.Task.Name
	if step.Task.Namespace != "" {
		name = step.Task.Namespace + "/" + name
	}
	if step.Task.Version != "" {
		name += "@" + step.Task.Version
	}
	return "task " + name
}

// awaited describes the wait of a step.
func awaited(alternatives []template.Await) string {
	names := make([]string, len(alternatives))
	for i, await := range alternatives {
		switch {
		case await.Signal != "":
			names[i] = await.Signal
		case await.Event != "":
			names[i] = join(" ", "event", await.Event, await.Key)
		case await.Until != "":
			names[i] = await.Until
		default:
			names[i] = string(await.For)
			if length, err := await.For.Length(); err == nil {
				names[i] = span(length)
			}
		}
	}
	return strings.Join(names, " or ")
}

// tries returns how often a step is tried, in words.
func tries(retry *template.Retry) string {
	switch {
	case retry == nil:
		return ""
	case retry.Retryable != nil && !*retry.Retryable:
		return "1"
	case retry.MaxAttempts != nil:
		return fmt.Sprint(*retry.MaxAttempts)
	}
	return ""
}

func (a *app) templateRetire() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "retire TEMPLATE@VERSION",
		Short:             "Retire a version: no new tasks are created from it, and existing tasks continue",
		Example:           "  tasker template retire shop/order@1.0.0",
		ValidArgsFunction: a.complete(a.templates),
	}, "an object: retired, true if this call did it", func(ctx context.Context, args []string) error {
		r, err := parseReference(args[0])
		if err != nil {
			return err
		}
		if r.version == nil {
			return &problem{
				Exit:    exitUsage,
				Message: "retiring takes a version: NAMESPACE/NAME@VERSION",
				Hint:    "tasker template list " + r.namespace + " shows the versions.",
			}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		retired, err := e.RetireTaskTemplate(ctx, r.namespace, r.name, *r.version, a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"retired": retired}, func() error {
			if !retired {
				return a.out.Say("%s was retired already\n", term.Clean(args[0]))
			}
			return a.out.Say("%s is retired\n", term.Clean(args[0]))
		})
	}))
}

func (a *app) templateSchema() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of template files, for editors; needs no database",
		Long: `Print the JSON Schema of template files. With a first line such as

  # yaml-language-server: $schema=template.schema.json

editors with yaml-language-server (the YAML extension of VS Code, Neovim, Helix, Emacs and others) complete the fields of a file,
explain them and underline mistakes. The schema refuses no template that the database accepts. "tasker apply --dry-run" finds
more mistakes, such as a dependency on a step that does not exist.`,
		Example: "  tasker template schema > template.schema.json",
	}, "an object: the schema", func(context.Context, []string) error {
		return a.out.Print(template.Schema())
	})
}
