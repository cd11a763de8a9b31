package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/kin"
)

// checkBuild implements kin.CheckBuild: it compares the build of the database with the build of this program.
func checkBuild(ctx context.Context, db DBTX) error {
	state, err := New(db).SchemaBuild(ctx, buildVersion)
	var pgErr *pgconn.PgError
	switch {
	case errors.As(err, &pgErr) && (pgErr.Code == "42883" || pgErr.Code == "3F000"): // The database has no such function or schema.
		return fmt.Errorf("%w: it does not say which", kin.ErrOtherBuild)
	case err != nil:
		return err
	}
	newest := ""
	if state.NewestVersion != nil {
		newest = *state.NewestVersion
	}
	switch {
	case newest < buildVersion:
		return fmt.Errorf("%w: its newest migration is %q, the program's is %q", kin.ErrOlderBuild, newest, buildVersion)
	case state.Digest != buildDigest:
		return fmt.Errorf("%w: its digest is %.16s, not %.16s", kin.ErrOtherBuild, state.Digest, buildDigest)
	case newest > buildVersion:
		return fmt.Errorf("%w: its newest migration is %q, the program's is %q", kin.ErrNewerBuild, newest, buildVersion)
	}
	return nil
}
