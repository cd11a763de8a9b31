package executor

import (
	"context"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/bearer"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Access manages the tokens of the REST interface and the rights of roles. The rights of people who sign in have no methods here.
// [Client.SQL] has MapAccess, UnmapAccess, ListSessions and EndSession for them. See [Client.Access].
type Access struct{ e *SqlFunctionExecutor }

// Token holds the rights of the bearer of a token.
type Token struct {
	Name string
	// Role is the database role whose functions the token may call, such as "tasker_worker".
	Role string
	// Namespaces that the token may work in. "*" stands for all namespaces of the role.
	Namespaces []string
	// ExpiresAt is the time at which the token expires. Default: never.
	ExpiresAt time.Time
}

// CreateToken makes a token and returns its secret, which cannot be read again.
func (a Access) CreateToken(ctx context.Context, token Token, by By) (secret string, err error) {
	secret, hash := bearer.New()
	_, err = a.e.CreateToken(ctx, sqlfn.CreateTokenParams{
		Name: token.Name, TokenHash: hash, RoleName: token.Role, Namespaces: token.Namespaces, ExpiresAt: token.ExpiresAt,
	}, by)
	if err != nil {
		return "", err
	}
	return secret, nil
}

// Tokens lists the tokens by name, without their secrets.
func (a Access) Tokens(ctx context.Context) iter.Seq2[gen.TokenDetail, error] {
	return one(func() ([]gen.TokenDetail, error) { return a.e.ListTokens(ctx) })
}

// RevokeToken revokes a token.
func (a Access) RevokeToken(ctx context.Context, name string, by By) (bool, error) {
	return a.e.RevokeToken(ctx, name, by)
}

// BindRole lets a database role work in these namespaces only. With nil the role works in all namespaces.
func (a Access) BindRole(ctx context.Context, role string, namespaces []string, by By) error {
	_, err := a.e.BindRole(ctx, role, namespaces, by)
	return err
}

// Admin reads and changes settings, partitions, retention and maintenance. See [Client.Admin].
type Admin struct{ e *SqlFunctionExecutor }

// Settings lists the settings by name, with their values, their defaults and their meaning.
func (a Admin) Settings(ctx context.Context) iter.Seq2[Setting, error] {
	return one(func() ([]Setting, error) { return a.e.ListSettings(ctx) })
}

// SetSetting changes the value of the setting with the name setting.Name to setting.Value. [Admin.ResetSetting] restores the default.
func (a Admin) SetSetting(ctx context.Context, setting Setting, by By) error {
	_, err := a.e.SetSetting(ctx, setting.Name, &setting.Value, by)
	return err
}

// ResetSetting sets a setting to its default.
func (a Admin) ResetSetting(ctx context.Context, name string, by By) error {
	_, err := a.e.SetSetting(ctx, name, nil, by)
	return err
}

// SetPartitioning changes how the run tables are partitioned. The zero value of a field keeps the present setting.
func (a Admin) SetPartitioning(ctx context.Context, partitioning sqlfn.SetupPartitioningParams, by By) (gen.PartitionStatus, error) {
	return a.e.SetupPartitioning(ctx, partitioning, by)
}

// Partitioning returns how the run tables are partitioned and how far ahead partitions exist.
func (a Admin) Partitioning(ctx context.Context) (gen.PartitionStatus, error) {
	return a.e.PartitionStatus(ctx)
}

// Partitions lists the ranges of the run tables and their sizes.
func (a Admin) Partitions(ctx context.Context) iter.Seq2[gen.PartitionSize, error] {
	return one(func() ([]gen.PartitionSize, error) { return a.e.PartitionSizes(ctx) })
}

// ApplyRetention drops ranges whose tasks have all ended and are older than the retention. It returns the outcome for each range.
func (a Admin) ApplyRetention(ctx context.Context) ([]gen.RetentionOutcome, error) {
	return a.e.ApplyRetention(ctx)
}

// Duties lists the periodic duties of the database.
func (a Admin) Duties(ctx context.Context) iter.Seq2[gen.MaintenanceDuty, error] {
	return one(func() ([]gen.MaintenanceDuty, error) { return a.e.ListMaintenanceDuties(ctx) })
}

// RunDuty runs a duty now. The result ran is false if another session runs the duty.
func (a Admin) RunDuty(ctx context.Context, duty string) (done gen.MaintenanceDuty, ran bool, err error) {
	rows, err := a.e.RunMaintenance(ctx, duty)
	if err != nil || len(rows) == 0 {
		return gen.MaintenanceDuty{}, false, err
	}
	return rows[0], true, nil
}

// SetCron makes pg_cron run the periodic duties, or stops pg_cron from running them.
func (a Admin) SetCron(ctx context.Context, enabled bool, by By) ([]gen.CronJob, error) {
	return a.e.SetupCron(ctx, enabled, by)
}

// wholeSeconds converts a duration to seconds for the database. The error names the argument.
func wholeSeconds(name string, d time.Duration) (int32, error) {
	switch {
	case d < 0:
		return 0, fmt.Errorf("%w: %s is %s: it cannot be below 0", ErrInvalid, name, d)
	case d%time.Second != 0:
		return 0, fmt.Errorf("%w: %s is %s: the database counts whole seconds", ErrInvalid, name, d)
	case d/time.Second > math.MaxInt32:
		return 0, fmt.Errorf("%w: %s is %s: that is too long", ErrInvalid, name, d)
	}
	return int32(d / time.Second), nil
}
