package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/nearest"
	listorder "github.com/pgtasker/pgtasker/internal/order"
)

// Process is the process that a command runs in.
type Process struct {
	Args   []string
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	Getenv func(string) string
	// Width is how many columns Out has. Default: the width of the terminal, or no limit without a terminal.
	Width int
}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, process Process) int {
	a := newApp(process)
	defer a.close()
	err := a.run(ctx, process.Args)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil {
		err = interrupted(err)
	}
	p := describe(err)
	if !a.ran && p.Exit == exitFailed {
		p.Exit = exitUsage // The command line was refused before any command began.
	}
	a.report(p)
	return p.Exit
}

// app is one run of the tool.
type app struct {
	Process
	out  *term.Output
	errs *term.Output
	root *cobra.Command
	ran  bool // a command has begun
	// unknown is the problem of "tasker help" for a command that does not exist.
	unknown *problem
	pool    *pgxpool.Pool
	reads   *pgxpool.Pool // the pool of a standby, if a standby is named
	sockets *sockets
	act     executor.By // the actor and reason of a command that administers

	database string
	key      string
	json     bool
	color    string
	wide     bool
}

func newApp(process Process) *app {
	a := &app{
		sockets: &sockets{},
		Process: process,
		out:     term.New(process.Out, process.Getenv),
		errs:    term.New(process.Err, process.Getenv),
	}
	if process.Width > 0 {
		a.out.Width, a.errs.Width = process.Width, process.Width
	}
	a.root = a.rootCommand()
	return a
}

func (a *app) rootCommand() *cobra.Command {
	root := a.group("tasker", "Durable multi-step workflows in PostgreSQL", "",
		a.migrateCommands(), a.applyCommand(), a.templateCommands(), a.taskCommands(), a.stepCommands(), a.inboxCommands(), a.eventCommands(),
		a.scheduleCommands(), a.limitCommands(), a.sqlCommands(), a.queueCommands(), a.namespaceCommands(), a.settingsCommands(), a.partitionCommands(),
		a.healthCommand(), a.incidentCommands(), a.selectionCommands(), a.massCommands(), a.handlerCommands(), a.topCommand(), a.statsCommand(), a.slowCommands(), a.auditCommands(), a.dlqCommands(),
		a.jobCommands(), a.orchestrateCommand(), a.maintainCommand(), a.workerCommands(), a.doctorCommand(),
		a.serveCommand(), a.tokenCommands(), a.accessCommands(), a.sessionCommands(), a.subscriptionCommands(), a.relayCommand(), a.devCommand(), a.demoCommand(),
		a.versionCommand(),
	)
	root.Long = `tasker migrates a database, registers templates, creates tasks and shows their progress.

The database is named by --database or DATABASE_URL (postgres://user@host/db), or by PGHOST and the
other variables of PostgreSQL's own programs. --json prints the rows that the SQL functions return;
errors go to standard error, and the exit code tells their kind.`
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = buildVersion()
	root.SetVersionTemplate("tasker {{.Version}}\n")
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return usage(command, "%s", err)
	})

	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVarP(&a.database, "database", "d", "", "the database's address (default $DATABASE_URL)")
	flags.StringVar(&a.key, "key", "", "a file of keys, which decrypts payloads that are shown and encrypts payloads that are sent (default $TASKER_KEYS)")
	flags.BoolVar(&a.json, "json", false, "print JSON for programs instead of tables for people")
	flags.BoolVar(&a.wide, "wide", false, "print all columns, whole values and whole ids")
	flags.StringVar(&a.color, "color", "auto", "auto, always or never; auto honours NO_COLOR")
	root.SetHelpFunc(a.help(root.HelpFunc()))
	root.SetHelpCommand(a.helpCommand())
	root.PersistentPreRunE = func(command *cobra.Command, _ []string) error { return a.setColor(command) }
	return root
}

func (a *app) setColor(command *cobra.Command) error {
	if a.wide {
		a.out.Width, a.errs.Width = 0, 0
	}
	switch a.color {
	case "auto":
	case "always", "never":
		a.out.Color = a.color == "always"
		a.errs.Color = a.out.Color
	default:
		return usage(command, "--color is auto, always or never, not %q", a.color)
	}
	return nil
}

// help shows a command's help, unless the named command does not exist.
func (a *app) help(show func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(command *cobra.Command, args []string) {
		if words := command.Flags().Args(); command.HasSubCommands() && len(words) > 0 {
			a.unknown = noCommand(command, words[0])
			return
		}
		show(command, args)
	}
}

// helpCommand is "tasker help", which fails for commands that do not exist.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND...]", Short: "Show the help of a command", DisableFlagsInUseLine: true,
		RunE: func(command *cobra.Command, args []string) error {
			found, rest, err := command.Root().Find(args)
			if err != nil || len(rest) > 0 {
				if found == nil || len(rest) == 0 {
					found, rest = command.Root(), args
				}
				return noCommand(found, rest[0])
			}
			return found.Help()
		},
	}
}

// run executes the command line. A panic is a bug, and is reported without its stack unless TASKER_DEBUG is set.
func (a *app) run(ctx context.Context, args []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.ran = true
			err = &problem{Exit: exitFailed, Message: fmt.Sprintf("a bug in tasker: %v", p), Hint: "Please report it, with what TASKER_DEBUG=1 prints."}
			if a.Getenv("TASKER_DEBUG") != "" {
				_, _ = a.Err.Write(debug.Stack())
			}
		}
	}()
	a.root.SetArgs(args)
	if err := a.root.ExecuteContext(ctx); err != nil {
		return err
	}
	if a.unknown != nil {
		return a.unknown
	}
	return nil
}

func (a *app) close() {
	// The server of a dead connection would not answer the message that ends the session.
	timer := time.AfterFunc(farewellWithin, a.sockets.close)
	defer timer.Stop()
	if a.reads != nil {
		a.reads.Close()
	}
	if a.pool != nil {
		a.pool.Close()
	}
}

// group returns a command that only holds other commands, and lists them if none is named.
func (a *app) group(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: use, Short: short, Long: long, Args: cobra.ArbitraryArgs}
	group.RunE = func(command *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			return noCommand(command, args[0])
		case !command.HasParent():
			return command.Help()
		}
		err := usage(command, "%s lacks a command", command.CommandPath())
		err.Hint = "It is one of " + strings.Join(subcommands(command), ", ") + "; see " + command.CommandPath() + " --help."
		return err
	}
	group.AddCommand(commands...)
	return group
}

// subcommands returns the names of the commands that a command holds.
func subcommands(command *cobra.Command) []string {
	var found []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() && child.Name() != "help" {
			found = append(found, child.Name())
		}
	}
	return found
}

// noCommand returns the problem of a subcommand that does not exist. The hint has the command with the most similar name, and
// the commands of other groups that have the given name.
func noCommand(command *cobra.Command, name string) *problem {
	err := usage(command, "there is no command %q", strings.TrimSpace(command.CommandPath()+" "+name))
	var meant []string
	if near := nearest.Name(name, subcommands(command)); near != "" {
		meant = append(meant, command.CommandPath()+" "+near)
	}
	for _, leaf := range Leaves(command.Root()) {
		if leaf.Name() == name {
			meant = append(meant, leaf.CommandPath())
		}
	}
	if len(meant) > 0 {
		err.Hint = "Did you mean " + strings.Join(meant, " or ") + "?"
	}
	return err
}

// leaf makes a command that runs a function. rows describes the output of --json.
func (a *app) leaf(command cobra.Command, rows string, run func(ctx context.Context, args []string) error) *cobra.Command {
	command.Annotations = map[string]string{jsonAnnotation: rows}
	command.Args = checkArguments
	command.DisableFlagsInUseLine = true
	command.Flags().SortFlags = false
	sorted := sortFlag(&command, rows)
	command.RunE = func(command *cobra.Command, args []string) error {
		a.ran = true
		// To package executor a limit of 0 means the default.
		if limit, err := command.Flags().GetInt32("limit"); err == nil && limit < 1 && command.Flags().Changed("limit") {
			return &problem{Exit: exitUsage, Message: "--limit is at least 1"}
		}
		ctx, err := sorted(command)
		if err != nil {
			return err
		}
		return run(ctx, args)
	}
	return &command
}

// listed matches the description of an output that consists of the rows of a SQL function.
var listed = regexp.MustCompile(`^an array of tasker\.\w+: (\w+)\(\)`)

// sortFlag adds the flag --sort to a command that lists the rows of a SQL function. It returns the function that makes the
// context in which the list is sorted.
func sortFlag(command *cobra.Command, rows string) func(command *cobra.Command) (context.Context, error) {
	found := listed.FindStringSubmatch(rows)
	if found == nil || !slices.Contains(listorder.Functions, found[1]) {
		return func(command *cobra.Command) (context.Context, error) { return command.Context(), nil }
	}
	var (
		given string
		by    listorder.Order
	)
	command.Flags().StringVar(&given, "sort", "", "sort by this field of --json; --sort=-FIELD puts the greatest value first")
	return func(command *cobra.Command) (context.Context, error) {
		if given == "" {
			return command.Context(), nil
		}
		if by.Column == "" { // With --watch the command runs again.
			var ok bool
			if by, ok = listorder.Parse(found[1], given); !ok {
				return nil, usage(command, "--sort is no name of a field: %s", quote(given))
			}
			if before := command.Flags().Lookup("before"); before != nil && before.Changed {
				return nil, usage(command, "--sort goes without --before")
			}
			if by.Attribute() != "" {
				return by.With(command.Context()), nil
			}
			// The function sorts the rows up to its own bound, and --limit takes the first of the sorted rows.
			if limit, err := command.Flags().GetInt32("limit"); err == nil {
				by.Limit = limit
				if err := command.Flags().Set("limit", strconv.Itoa(int(by.Bound()))); err != nil {
					return nil, err
				}
			}
		}
		return by.With(command.Context()), nil
	}
}

// jsonAnnotation is the key of the annotation that describes the output of --json.
const jsonAnnotation = "json"
