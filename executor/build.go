package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/kin"
)

// checkBuild returns kin.ErrOtherBuild if the migrations that the database has applied are other ones than this program's of the
// same versions. Newer ones than the program has are no difference. "tasker doctor" names the files.
func checkBuild(ctx context.Context, db DBTX) error {
	digest, err := New(db).SchemaBuild(ctx, buildVersion)
	var pgErr *pgconn.PgError
	switch {
	case errors.As(err, &pgErr) && (pgErr.Code == "42883" || pgErr.Code == "3F000"): // It has no such function or schema.
		return fmt.Errorf("%w: it does not say which", kin.ErrOtherBuild)
	case err != nil:
		return err
	case digest != buildDigest:
		return fmt.Errorf("%w: its digest is %.16s, not %.16s", kin.ErrOtherBuild, digest, buildDigest)
	}
	return nil
}
