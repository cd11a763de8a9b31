package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
)

func (a *app) tokenCommands() *cobra.Command {
	return a.group("token", "Make, list and revoke the tokens that tasker serve accepts", "", a.tokenCreate(), a.tokenList(), a.tokenRevoke())
}

func (a *app) tokenCreate() *cobra.Command {
	var (
		role, expires string
		namespaces    []string
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "create NAME",
		Short: "Create a token, and show it once",
		Long: `Create a token, and show it once. The database stores only the hash of the token, and no log contains the token.

The history of tasks names the token, so its name can never be used again. Requests with the token have the rights of --role
in --namespaces; see docs/serve.md.`,
		Example: `  tasker token create deploy-bot --role submitter --namespaces shop,bank
  tasker token create grafana --role reader --namespaces all --expires never`,
	}, "an object of tasker.token_details with the token: create_token()", func(ctx context.Context, args []string) error {
		if role == "" || !command.Flags().Changed("namespaces") {
			return usage(command, "--role and --namespaces are needed")
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		until, err := expiry(expires, now)
		if err != nil {
			return err
		}
		if len(namespaces) == 1 && namespaces[0] == "all" {
			namespaces = []string{"*"}
		}
		token, hash := bearer.New()
		made, err := e.CreateToken(ctx, sqlfn.CreateTokenParams{
			Name: args[0], TokenHash: hash, RoleName: roleName(role), Namespaces: namespaces, ExpiresAt: until,
		}, a.act)
		if err != nil {
			return err
		}
		return a.show(struct {
			gen.TokenDetail
			Token string `json:"token"`
		}{made, token}, func() error {
			if err := a.errs.Say("%s acts as %s in %s, %s. It is shown this once:\n", made.Name, made.RoleName, tokenNamespaces(made), tokenEnd(a, made)); err != nil {
				return err
			}
			return a.out.Printf("%s\n", token)
		})
	})
	flags := command.Flags()
	flags.StringVar(&role, "role", "", "reader, submitter, worker, orchestrator, operator, or the name of your own role that is a member of one of these")
	flags.StringSliceVar(&namespaces, "namespaces", nil, "the namespaces that the token may work in, or all")
	flags.StringVar(&expires, "expires", "90d", "how long the token is valid, such as 12h or 30d, or never")
	_ = command.RegisterFlagCompletionFunc("role", cobra.FixedCompletions(tokenRoles, cobra.ShellCompDirectiveNoFileComp))
	a.completeFlag(command, "namespaces", a.namespaces)
	return a.acting(command)
}

// tokenRoles are short names for the groups that a token may have.
var tokenRoles = []string{"reader", "submitter", "worker", "orchestrator", "operator"}

func roleName(given string) string {
	for _, short := range tokenRoles {
		if given == short {
			return "tasker_" + short
		}
	}
	return given
}

// expiry returns the end of a span, which is given in days or as a duration of Go. For "never" it returns the zero time.
func expiry(given string, now time.Time) (time.Time, error) {
	if given == "never" {
		return time.Time{}, nil
	}
	span, err := time.ParseDuration(given)
	if days, found := strings.CutSuffix(given, "d"); found {
		var n int
		n, err = strconv.Atoi(days)
		span = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || span <= 0 {
		return time.Time{}, invalid("It is a time such as 12h or 30d, or never.", "--expires cannot be %s", quote(given))
	}
	return now.Add(span), nil
}

func tokenNamespaces(t gen.TokenDetail) string {
	switch {
	case len(t.Namespaces) == 0:
		return "no namespace"
	case t.Namespaces[0] == "*":
		return "all namespaces"
	}
	return strings.Join(t.Namespaces, ", ")
}

func tokenEnd(a *app, t gen.TokenDetail) string {
	if t.ExpiresAt == nil {
		return "until it is revoked"
	}
	return "until " + a.at(*t.ExpiresAt)
}

func (a *app) tokenList() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the tokens, without their secrets",
	}, "an array of tasker.token_details: list_tokens()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		tokens, err := e.ListTokens(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("NAME", "STATUS", "ROLE", "NAMESPACES", "EXPIRES", "MADE BY").Yield("MADE BY", "EXPIRES")
		return list(a, tokens, "there are no tokens", table, func(t gen.TokenDetail) []term.Cell {
			color := term.Green
			if t.Status != "valid" {
				color = term.Red
			}
			return []term.Cell{
				term.Text(t.Name), term.Colored(t.Status, color), term.Text(t.RoleName), term.Text(tokenNamespaces(t)),
				term.Text(a.when(t.ExpiresAt, now)), term.Text(t.CreatedBy),
			}
		})
	})
}

func (a *app) tokenRevoke() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "revoke NAME",
		Short: "Revoke a token: the next request with it is refused",
	}, "an object: revoked, whether this call did it: revoke_token()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		revoked, err := e.RevokeToken(ctx, args[0], a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"revoked": revoked}, func() error {
			if !revoked {
				return a.out.Printf("%s was revoked before\n", args[0])
			}
			return a.out.Printf("%s %s\n", args[0], a.out.Paint("revoked", term.Red))
		})
	}))
}
