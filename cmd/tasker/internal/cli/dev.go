package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/orchestrator"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/internal/localpg"
	"github.com/pgtasker/pgtasker/migrate"
)

// envPrograms is the environment variable with the directory of PostgreSQL's programs. "make demo" and the tests use it, too.
const envPrograms = "PGTASKER_TEST_PGBIN"

// developing has the flags of a dev server.
type developing struct {
	folder, data, programs, listen string
}

// devStarted is the JSON output when everything runs.
type devStarted struct {
	Event       string `json:"event"` // started
	DatabaseURL string `json:"database_url"`
	// PostgreSQL, Data and Account describe the server, if the command has started one. Data is removed at the end if Scratch
	// is true.
	PostgreSQL string `json:"postgresql,omitempty"`
	Data       string `json:"data,omitempty"`
	Scratch    bool   `json:"scratch"`
	Account    string `json:"account,omitempty"`
	Address    string `json:"address"`
	Page       string `json:"page"`
	Token      string `json:"token"`
}

func (a *app) devCommand() *cobra.Command {
	var config developing
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "dev [FOLDER]",
		Short: "Run a server for development: PostgreSQL, page, REST, orchestrator, and the templates of a folder",
		Long: `Run all that a developer needs, until Ctrl+C: a PostgreSQL with the schema, the operators' page and REST with a
token, and an orchestrator. The command registers the templates of FOLDER (all files *.yaml and *.yml in it and below it), and
registers them again after each edit. They are drafts (dev-1, dev-2, …), as with "tasker apply --draft". A refused file is
reported with the line, and its registered templates stay.

Without --database and DATABASE_URL the command starts a PostgreSQL. It looks for the programs in --postgres, in PATH, and in
the directories of distributions, the newest version first. The data is removed at the end, unless --data names a folder for
it. PostgreSQL refuses to run as root. So for root it runs as the owner of the data, which is an unprivileged user. Clients
reach it by a socket in the folder, which other users cannot enter.

With --database it migrates and uses that database.`,
		Example: `  tasker dev
  tasker dev templates/ --data .tasker`,
	}, "an object for each event, on a line of its own: started (database_url, postgresql, data, scratch, account, address, page, token), "+
		"applied (file, templates as in tasker apply), refused (file, error), removed (file), stopped",
		func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				config.folder = args[0]
			}
			if config.folder != "" {
				if info, err := os.Stat(config.folder); err != nil || !info.IsDir() {
					return invalid("Make it, or name another one.", "%s is not a folder", quote(config.folder))
				}
			}
			named := cmp.Or(a.database, a.Getenv("DATABASE_URL")) != ""
			if named && (config.data != "" || config.programs != "") {
				return usage(command, "--data and --postgres are for a PostgreSQL that tasker dev starts, and --database or DATABASE_URL names another one")
			}
			if !loopback(config.listen) {
				return usage(command, "tasker dev serves this machine only: --listen takes a loopback address, not %s", quote(config.listen))
			}
			return a.dev(ctx, config, named)
		})
	flags := command.Flags()
	flags.StringVar(&config.data, "data", "", "the folder in which the data is kept (default: a new folder, removed at the end)")
	flags.StringVar(&config.programs, "postgres", "", "the directory of PostgreSQL's programs (default $"+envPrograms+", or the first directory that is found)")
	flags.StringVar(&config.listen, "listen", "127.0.0.1:8480", "the address of the page and of REST, HOST:PORT; a free port if this port is in use")
	_ = command.MarkFlagDirname("data")
	_ = command.MarkFlagDirname("postgres")
	command.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return command
}

func (a *app) dev(ctx context.Context, config developing, named bool) (err error) {
	var server *localpg.Server
	ended := make(<-chan struct{})
	if !named {
		if server, err = a.startPostgres(ctx, config); err != nil {
			return err
		}
		ended, a.database = server.Ended, server.URL
		defer func() { err = errors.Join(err, a.stopPostgres(server)) }()
	}
	pool, err := a.connect(ctx)
	if err != nil {
		return err
	}
	if err := migrate.Up(ctx, pool); err != nil {
		return err
	}
	page, err := openPage(ctx, pool, config.listen, "dev")
	if err != nil {
		return err
	}
	if err := a.devSay(server, page); err != nil {
		return errors.Join(err, page.close(ctx))
	}
	runs := []func(context.Context) error{
		page.serve,
		func(ctx context.Context) error { return a.devOrchestrate(ctx, pool) },
		func(ctx context.Context) error {
			select {
			case <-ctx.Done():
			case <-ended:
			}
			return nil
		},
	}
	if config.folder != "" {
		folder := newTemplateFolder(config.folder)
		runs = append(runs, func(ctx context.Context) error { return a.devTemplates(ctx, pool, folder) })
	}
	if err = together(ctx, runs...); err != nil && server != nil && pool.Ping(context.WithoutCancel(ctx)) != nil {
		select {
		case <-ended: // The server is about to end.
		case <-time.After(localpg.QuitWithin):
		}
	}
	select {
	case <-ended: // The token was in the server that has ended.
		page.pool.Close()
		return serverEnded(server)
	default:
	}
	if err := errors.Join(err, page.close(ctx)); err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.Out).Encode(map[string]string{"event": "stopped"})
	}
	return a.out.Say("\nStopped.\n")
}

// serverEnded returns the problem of a server that has ended. It quotes the last lines of the log, because the folder with the
// log may be removed.
func serverEnded(server *localpg.Server) error {
	p := &problem{Exit: exitUnreachable, Message: "PostgreSQL has ended", Hint: "Start tasker dev again."}
	log, err := os.ReadFile(filepath.Join(server.Folder, "server.log"))
	if err != nil {
		p.Detail = err.Error()
		return p
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	p.Problems = lines[max(0, len(lines)-5):]
	return p
}

// startPostgres finds the programs of PostgreSQL and starts a server.
func (a *app) startPostgres(ctx context.Context, config developing) (*localpg.Server, error) {
	programs := cmp.Or(config.programs, a.Getenv(envPrograms))
	if programs != "" && !localpg.HoldsServer(programs) {
		return nil, invalid("Name the directory that has initdb and postgres.", "there is no PostgreSQL server in %s", quote(programs))
	}
	var err error
	if programs == "" {
		if programs, err = localpg.Find(ctx); err != nil {
			p := &problem{
				Exit: exitUnreachable, Message: "no PostgreSQL was found",
				Hint: "Install one (apt-get install postgresql, dnf install postgresql-server, brew install postgresql@17), name its programs with --postgres, or name a database with --database.",
			}
			for _, searched := range unjoin(err) {
				p.Problems = append(p.Problems, searched.Error())
			}
			if _, missing := exec.LookPath("docker"); missing == nil {
				p.Hint += " With Docker: docker run --rm -e POSTGRES_PASSWORD=dev -p 127.0.0.1:5432:5432 postgres:17, then tasker dev -d postgres://postgres:dev@127.0.0.1/postgres."
			}
			return nil, p
		}
	}
	if programs, err = filepath.Abs(programs); err != nil {
		return nil, err
	}
	server, err := localpg.Start(ctx, localpg.Config{Bin: programs, Folder: config.data})
	if wrong := new(localpg.UserError); errors.As(err, &wrong) {
		return nil, invalid(wrong.Hint, "%s", wrong.Message)
	}
	return server, err
}

// stopPostgres closes the connections of this process and stops the server.
func (a *app) stopPostgres(server *localpg.Server) error {
	if a.pool != nil {
		a.pool.Close()
	}
	return server.Stop()
}

// devSay lists the running parts, and how to reach them.
func (a *app) devSay(server *localpg.Server, page *localPage) error {
	started := devStarted{Event: "started", DatabaseURL: a.devDatabase(), Address: page.address(), Page: page.link(), Token: page.token}
	if server != nil {
		started.PostgreSQL, started.Data, started.Scratch, started.Account = server.Version, server.Folder, server.Scratch, server.Account
	}
	if a.json {
		return json.NewEncoder(a.Out).Encode(started)
	}
	var b strings.Builder
	if server != nil {
		b.WriteString("PostgreSQL " + server.Version + " runs")
		if server.Account != "" {
			b.WriteString(" as the user " + server.Account + ", because it refuses to run as root")
		}
		b.WriteString(". Its data is in " + server.Folder)
		if server.Scratch {
			b.WriteString(" and is removed at the end; --data keeps it")
		}
		b.WriteString(".\n")
	}
	b.WriteString("\n  export DATABASE_URL='" + started.DatabaseURL + "'\n")
	b.WriteString("\nThe page:\n\n  " + a.out.Paint(started.Page, term.Blue) + "\n")
	b.WriteString("\nREST:\n\n  export TASKER_TOKEN=" + started.Token + "\n")
	b.WriteString("  curl -H \"Authorization: Bearer $TASKER_TOKEN\" " + started.Address + "/v1/tasks\n")
	b.WriteString("\nStop with Ctrl+C.\n\n")
	return a.out.Print(b.String())
}

// devDatabase returns the database's address for other programs, or "(as given)" if the address has a password.
func (a *app) devDatabase() string {
	address := cmp.Or(a.database, a.Getenv("DATABASE_URL"))
	config, err := pgxpool.ParseConfig(address)
	if err != nil || config.ConnConfig.Password != "" {
		return "(as given)"
	}
	return address
}

// devOrchestrate runs an orchestrator that logs only errors.
func (a *app) devOrchestrate(ctx context.Context, pool *pgxpool.Pool) error {
	warnings := &slog.HandlerOptions{Level: slog.LevelWarn}
	var handler slog.Handler = slog.NewTextHandler(a.Err, warnings)
	if a.json {
		handler = slog.NewJSONHandler(a.Err, warnings)
	}
	_, err := orchestrator.Run(ctx, pool, orchestrator.Config{Logger: slog.New(handler)})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// devTemplates registers the templates of a folder whenever they change, until ctx ends.
func (a *app) devTemplates(ctx context.Context, pool *pgxpool.Pool, folder *templateFolder) error {
	return folder.watch(ctx, func(files, removed []string) (failed []string, err error) {
		for _, file := range removed {
			if err := a.devEvent(map[string]any{"event": "removed", "file": file}, func() error {
				return a.out.Say("%s was removed; its templates stay registered\n", term.Clean(file))
			}); err != nil {
				return nil, err
			}
		}
		// A template may need a template of a later file. A file with such a template is tried again after the other files.
		for {
			var refused []string
			problems := map[string]*problem{}
			for _, file := range files {
				applied, err := a.devApply(ctx, pool, file)
				switch {
				case ctx.Err() != nil:
					return nil, nil
				case errors.Is(err, fs.ErrNotExist): // The file was removed after it was found.
				case err != nil:
					refused, problems[file] = append(refused, file), describe(err)
				default:
					if err := a.devApplied(file, applied); err != nil {
						return nil, err
					}
				}
			}
			if len(refused) > 0 && len(refused) < len(files) {
				files = refused
				continue
			}
			for _, file := range refused {
				if err := a.devRefused(file, problems[file]); err != nil {
					return nil, err
				}
			}
			return refused, nil
		}
	})
}

// devApply registers the templates of one file as drafts.
func (a *app) devApply(ctx context.Context, pool *pgxpool.Pool, file string) ([]application, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	templates, err := loadTemplates([]string{file})
	if err != nil {
		return nil, err
	}
	done, err := a.register(ctx, pool, templates, false, true)
	if err == nil && conflictsOf(done) > 0 {
		return nil, &problem{Exit: exitConflict, Message: "another program registered the same draft at this moment; nothing was applied", Hint: "Save the file again."}
	}
	return done, err
}

func (a *app) devApplied(file string, applied []application) error {
	return a.devEvent(map[string]any{"event": "applied", "file": file, "templates": applied}, func() error {
		for _, one := range applied {
			if err := a.printApplication(one, false); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) devRefused(file string, p *problem) error {
	return a.devEvent(map[string]any{"event": "refused", "file": file, "error": p}, func() error {
		a.report(p)
		return a.out.Say("%s is refused; what was registered before stays. Save it again when it is mended.\n", term.Clean(file))
	})
}

// devEvent prints one event, as a line of JSON or as text.
func (a *app) devEvent(event map[string]any, say func() error) error {
	if a.json {
		return json.NewEncoder(a.Out).Encode(event)
	}
	return say()
}
