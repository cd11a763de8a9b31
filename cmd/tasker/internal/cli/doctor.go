package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
	"github.com/pgtasker/pgtasker/internal/made"
	"github.com/pgtasker/pgtasker/migrate"
)

// The statuses of a finding, equal to the statuses of tasker.check_installation().
const (
	statusOK   = "ok"
	statusWarn = "warn"
	statusFail = "fail"
)

func (a *app) doctorCommand() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "doctor",
		Short: "Find problems of the server, the database and this program's connection to them",
		Long: fmt.Sprintf(`Check the server, the database and this program's connection to them. It checks pending migrations,
the difference of clocks, everything that tasker.check_installation() checks (which psql can call as well), and the open
incidents, with the severities of tasker health.

The exit code is %d if something failed; warnings leave it 0.`, exitNo),
	}, "an array of tasker.installation_findings: name, status (ok, warn, fail), message, hint",
		func(ctx context.Context, _ []string) error {
			pool, err := a.connect(ctx)
			if err != nil {
				return err
			}
			findings, err := examine(ctx, pool)
			if err != nil {
				return err
			}
			err = a.show(findings, func() error { return a.printFindings(findings) })
			if err == nil && worst(findings) == statusFail {
				return silent
			}
			return err
		})
}

// examine runs the checks of the client, and then the checks of the database, if the database answers.
func examine(ctx context.Context, pool *pgxpool.Pool) ([]gen.InstallationFinding, error) {
	if err := pool.Ping(ctx); err != nil {
		return nil, err
	}
	findings := []gen.InstallationFinding{examineMigrations(ctx, pool)}
	findings = append(findings, examineBuild(ctx, pool)...)
	e := executor.New(pool)
	clock, err := examineClock(ctx, e)
	if err == nil {
		findings = append(findings, clock)
		var more []gen.InstallationFinding
		if more, err = e.CheckInstallation(ctx); err == nil {
			var verdict judge.Verdict
			if verdict, err = judge.ReadVerdict(ctx, e); err == nil {
				return append(append(findings, more...), examineIncidents(verdict)...), nil
			}
		}
	}
	p := describe(err)
	if p.Exit == exitFailed || ctx.Err() != nil {
		return nil, err
	}
	return append(findings, finding("database", statusFail, join(": ", p.Message, p.Detail), p.Hint)), nil
}

func finding(name, status, message, hint string) gen.InstallationFinding {
	return gen.InstallationFinding{Name: name, Status: status, Message: message, Hint: optional(hint)}
}

// examineIncidents turns incidents into findings. An incident on which a person must act now is a failure, and an incident for
// today is a warning. The first finding is the verdict.
func examineIncidents(v judge.Verdict) []gen.InstallationFinding {
	statuses := map[string]string{judge.ActNow: statusFail, judge.LookToday: statusWarn}
	findings := []gen.InstallationFinding{finding("incidents", cmp.Or(statuses[v.Severity], statusOK), v.Sentence, "")}
	for n, i := range v.Incidents {
		if n == healthIncidents {
			more := fmt.Sprintf("%d more", len(v.Incidents)-n)
			return append(findings, finding("incidents", statusOK, more, "tasker incidents list"))
		}
		findings = append(findings, finding(i.Kind, cmp.Or(statuses[i.Severity], statusOK), i.What, i.NextStep))
	}
	return findings
}

// examineMigrations compares the migrations of this program with the migrations of the database.
func examineMigrations(ctx context.Context, pool *pgxpool.Pool) gen.InstallationFinding {
	migrations, err := migrate.Status(ctx, pool)
	if err != nil {
		p := describe(err)
		return finding("migrations", statusWarn, "which are applied cannot be read: "+p.Message,
			"Grant select on tasker_meta.schema_migrations, and usage on its schema, to see them.")
	}
	status, hint := statusOK, ""
	for _, m := range migrations {
		switch {
		case !m.Applied:
			status, hint = statusFail, "tasker migrate up"
		case m.Name == "" && status == statusOK:
			status, hint = statusWarn, "The database is newer than this program: install the tasker that migrated it."
		}
	}
	return finding("migrations", status, schemaVersion(migrations), hint)
}

// examineBuild compares the sources of the database's migrations with this program's sources, and reports a difference.
func examineBuild(ctx context.Context, pool *pgxpool.Pool) []gen.InstallationFinding {
	names, err := migrate.Differences(ctx, pool)
	switch {
	case err != nil:
		return []gen.InstallationFinding{finding("build", statusWarn,
			"what the database was made of cannot be read: "+describe(err).Message, "Grant the login one of the groups of pgtasker.")}
	case len(names) > 0:
		return []gen.InstallationFinding{finding("build", statusFail,
			"the database was made by another build: "+made.Different(names), "Make it again: a new database, and tasker migrate up.")}
	}
	return nil
}

// mostSkew is how far clocks may differ without a warning.
const mostSkew = time.Second

// examineClock compares this machine's clock with the database's, which decides when things are due.
func examineClock(ctx context.Context, e *executor.SqlFunctionExecutor) (gen.InstallationFinding, error) {
	if _, err := e.Clock(ctx); err != nil { // connects, so that the next call is only a round trip
		return gen.InstallationFinding{}, err
	}
	before := time.Now()
	server, err := e.Clock(ctx)
	if err != nil {
		return gen.InstallationFinding{}, err
	}
	roundTrip := time.Since(before)
	skew := server.Sub(before.Add(roundTrip / 2))
	switch {
	case max(skew, -skew) <= mostSkew+roundTrip/2:
		return finding("clock", statusOK, fmt.Sprintf("this machine's and the database's differ by less than %s", mostSkew), ""), nil
	case skew > 0:
		return finding("clock", statusWarn, fmt.Sprintf("the database's is %s ahead of this machine's", span(skew)), clockHint), nil
	}
	return finding("clock", statusWarn, fmt.Sprintf("the database's is %s behind this machine's", span(-skew)), clockHint), nil
}

const clockHint = "Let both follow a time server. Only the database's clock decides when something is due; a task's own UUID is refused if it is too far off."

// worst returns the worst status of all.
func worst(findings []gen.InstallationFinding) string {
	result := statusOK
	for _, f := range findings {
		if f.Status == statusFail || f.Status == statusWarn && result == statusOK {
			result = f.Status
		}
	}
	return result
}

func (a *app) printFindings(findings []gen.InstallationFinding) error {
	marks := map[string]struct {
		symbol string
		color  term.Color
	}{
		statusOK: {"✓", term.Green}, statusWarn: {"!", term.Yellow}, statusFail: {"✗", term.Red},
	}
	table := term.NewTable("", "", "").Wrap()
	counts := map[string]int{}
	for _, f := range findings {
		mark := marks[f.Status]
		counts[f.Status]++
		table.Row(term.Colored(mark.symbol, mark.color), term.Text(f.Name), term.Text(inOwnWords(f.Message)))
		if f.Hint != nil {
			table.Row(term.Text(""), term.Text(""), term.Colored(inOwnWords(*f.Hint), term.Dim))
		}
	}
	if err := table.Write(a.out); err != nil {
		return err
	}
	return a.out.Say("\n%d ok, %s, %s\n", counts[statusOK], count(counts[statusWarn], "warning"), count(counts[statusFail], "failure"))
}
