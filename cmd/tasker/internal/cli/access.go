package cli

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) accessCommands() *cobra.Command {
	return a.group("access", "Say what people may do who sign in to tasker serve", "", a.accessMap(), a.accessUnmap(), a.accessList())
}

// claimOf splits CLAIM=VALUE.
func claimOf(given string) (claim, value string, err error) {
	claim, value, found := strings.Cut(given, "=")
	if !found || claim == "" || value == "" {
		return "", "", invalid("It is CLAIM=VALUE, such as groups=shop-ops.", "%s is no claim with a value", quote(given))
	}
	return claim, value, nil
}

func (a *app) accessMap() *cobra.Command {
	var (
		role       string
		namespaces []string
	)
	command := a.leaf(cobra.Command{
		Use:   "map CLAIM=VALUE",
		Short: "Give people whose claim has a value a role in namespaces",
		Long: `Give people whose claim has a value a role in namespaces, for example all people with the group shop-ops. They
read all namespaces unless --role and --namespaces say otherwise. A person with more than one map has the strongest of their
roles, in the namespaces of the maps with that role. A person without a map has no access. A change applies to a session from
its next request on.

A dot in CLAIM stands before a key of an object (realm_access.roles). "*" as VALUE matches any value. See docs/howto/sign-in.md.`,
		Example: `  tasker access map groups=staff
  tasker access map groups=shop-ops --role operator --namespaces shop,bank
  tasker access map email=ann@corp.example --role operator`,
	}, "an object of tasker.access_map_details: map_access()", func(ctx context.Context, args []string) error {
		claim, value, err := claimOf(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if len(namespaces) == 1 && namespaces[0] == "all" {
			namespaces = []string{"*"}
		}
		made, err := e.MapAccess(ctx, sqlfn.MapAccessParams{Claim: claim, Value: value, RoleName: roleName(role), Namespaces: namespaces}, a.act)
		if err != nil {
			return err
		}
		return a.show(made, func() error {
			return a.out.Printf("people with %s=%s act as %s in %s\n", made.Claim, made.Value, made.RoleName, inNamespaces(made.Namespaces))
		})
	})
	flags := command.Flags()
	flags.StringVar(&role, "role", "reader", "reader, submitter, worker, orchestrator, operator, or the name of your own role that is a member of one of these")
	flags.StringSliceVar(&namespaces, "namespaces", []string{"all"}, "the namespaces that the person may work in, or all")
	_ = command.RegisterFlagCompletionFunc("role", cobra.FixedCompletions(tokenRoles, cobra.ShellCompDirectiveNoFileComp))
	a.completeFlag(command, "namespaces", a.namespaces)
	return a.acting(command)
}

func (a *app) accessUnmap() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "unmap CLAIM=VALUE",
		Short: "Remove the role that a claim gave: sessions lose it at their next request",
	}, "an object: unmapped, whether there was such a map: unmap_access()", func(ctx context.Context, args []string) error {
		claim, value, err := claimOf(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		unmapped, err := e.UnmapAccess(ctx, claim, value, a.act)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"unmapped": unmapped}, func() error {
			if !unmapped {
				return a.out.Printf("%s=%s was not mapped\n", claim, value)
			}
			return a.out.Printf("%s=%s %s\n", claim, value, a.out.Paint("unmapped", term.Red))
		})
	}))
}

func (a *app) accessList() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the claims that give roles to people who sign in",
	}, "an array of tasker.access_map_details: list_access_maps()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		maps, err := e.ListAccessMaps(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("CLAIM", "VALUE", "ROLE", "NAMESPACES", "MADE BY").Yield("MADE BY")
		return list(a, maps, "no access maps exist, so signing in grants no access", table, func(m gen.AccessMapDetail) []term.Cell {
			return []term.Cell{
				term.Text(m.Claim), term.Text(m.Value), term.Text(m.RoleName), term.Text(inNamespaces(m.Namespaces)), term.Text(m.UpdatedBy),
			}
		})
	})
}

func (a *app) sessionCommands() *cobra.Command {
	return a.group("session", "List and end the sessions of people who have signed in to tasker serve", "", a.sessionList(), a.sessionEnd())
}

func (a *app) sessionList() *cobra.Command {
	var all bool
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the sessions of people who have signed in, the newest first",
	}, "an array of tasker.session_details: list_sessions()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		sessions, err := e.ListSessions(ctx, all)
		if err != nil {
			return err
		}
		table := term.NewTable("SESSION", "PERSON", "STATUS", "ROLE", "NAMESPACES", "SEEN", "ENDS").Yield("ENDS", "SEEN", "NAMESPACES")
		return list(a, sessions, "no person is signed in", table, func(s gen.SessionDetail) []term.Cell {
			color := term.Green
			if s.Status != "valid" {
				color = term.Red
			}
			return []term.Cell{
				term.Text(s.SessionUUID.String()), term.Text(strings.TrimPrefix(s.Person, "person ")), term.Colored(s.Status, color), term.Text(text(s.RoleName)),
				term.Text(inNamespaces(s.Namespaces)), term.Text(a.when(&s.SeenAt, now)), term.Text(a.when(&s.EndsAt, now)),
			}
		})
	})
	command.Flags().BoolVar(&all, "all", false, "also sessions that have ended, for a month")
	return command
}

func (a *app) sessionEnd() *cobra.Command {
	var person string
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "end [SESSION]",
		Short: "End a session, or all sessions of a person, from the next request on",
		Long: `End a session, or with --person all sessions of a person. tasker serve refuses these sessions from the next
request on. The person may sign in again, unless the identity provider or tasker access unmap forbids it.`,
		Example: `  tasker session end 01980000-0000-7000-8000-000000000000
  tasker session end --person ann@corp.example`,
	}, "an object: ended, how many: end_session()", func(ctx context.Context, args []string) error {
		if (person == "") == (len(args) == 0) {
			return usage(command, "a session or --person is needed")
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		var ended int32
		if person != "" {
			ended, err = e.EndSessions(ctx, person, a.act)
		} else {
			id, parsed := uuid.Parse(args[0])
			if parsed != nil {
				return invalid("tasker session list shows them.", "%s is no session", quote(args[0]))
			}
			var did bool
			if did, err = e.EndSession(ctx, id, a.act); did {
				ended = 1
			}
		}
		if err != nil {
			return err
		}
		return a.show(map[string]int32{"ended": ended}, func() error {
			switch ended {
			case 0:
				return a.out.Printf("no session was in use\n")
			case 1:
				return a.out.Printf("1 session %s\n", a.out.Paint("ended", term.Red))
			}
			return a.out.Printf("%d sessions %s\n", ended, a.out.Paint("ended", term.Red))
		})
	})
	command.Flags().StringVar(&person, "person", "", "all sessions of this person: the e-mail address, or the subject")
	return a.acting(command)
}

// inNamespaces returns namespaces in words.
func inNamespaces(namespaces []string) string {
	return tokenNamespaces(gen.TokenDetail{Namespaces: namespaces})
}
