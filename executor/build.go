package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrOtherBuild says that the database was made of other files than this program, though under the same versions: functions
// and tables may be missing or work otherwise.
var ErrOtherBuild = errors.New("the database was made by another build of pgtasker")

// CheckBuild returns ErrOtherBuild if the migrations that the database has applied are other ones than this program's of the
// same versions. Newer ones than the program has are no difference. "tasker doctor" names the files.
func (e *SqlFunctionExecutor) CheckBuild(ctx context.Context) error {
	digest, err := e.SchemaBuild(ctx, buildVersion)
	var pgErr *pgconn.PgError
	switch {
	case errors.As(err, &pgErr) && (pgErr.Code == "42883" || pgErr.Code == "3F000"): // It has no such function or schema.
		return fmt.Errorf("%w: it does not say which", ErrOtherBuild)
	case err != nil:
		return err
	case digest != buildDigest:
		return fmt.Errorf("%w: its digest is %.16s, not %.16s", ErrOtherBuild, digest, buildDigest)
	}
	return nil
}
