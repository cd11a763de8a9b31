package template

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/pgtasker/pgtasker/executor"
)

// draftPrefix begins the versions of drafts. A number follows.
const draftPrefix = "dev-"

// digestLength is the length of the digest that workflow.FromContent puts after the prefix.
const digestLength = 12

// errNothingKept rolls back a registration that was only a trial.
var errNothingKept = errors.New("taken back")

// Drafts gives each template a draft version while it is being written, and ignores the version in the file. An unchanged template has the
// version of the newest draft. A changed template gets the next version of dev-1, dev-2, … So the author of a file need not change its
// version after an edit:
//
//	templates, err := template.LoadFS(files)
//	…
//	err = template.Drafts(ctx, pool, templates...)
//	…
//	err = template.RegisterAll(ctx, pool, templates...)
//
// Tasks that name no version are created from the newest version, which is the draft. Tasks of older drafts keep their version. If an edit
// restores an earlier text, the file also gets a new version. Two programs that register different drafts at the same moment may choose the
// same number. One program then gets executor.ErrConflict and has to start again.
func Drafts(ctx context.Context, db executor.DBTX, templates ...*Template) error {
	for _, t := range templates {
		version, err := draftVersion(ctx, db, t)
		if err != nil {
			return err
		}
		t.Version = version
	}
	return nil
}

func draftVersion(ctx context.Context, db executor.DBTX, t *Template) (string, error) {
	registered, err := executor.New(db).ListTaskTemplates(ctx, t.Namespace)
	if err != nil {
		return "", err
	}
	last, newest := 0, ""
	for i := len(registered) - 1; i >= 0; i-- { // begin at the end of the list, which has the newest version first
		one := registered[i]
		if one.Name != t.Name {
			continue
		}
		last = max(last, draftNumber(one.Version))
		if one.RetiredAt == nil {
			newest = one.Version
		}
	}
	if draftNumber(newest) > 0 {
		same, err := isRegistered(ctx, db, t, newest)
		if same || err != nil {
			return newest, err
		}
	}
	return draftPrefix + strconv.Itoa(last+1), nil
}

// draftNumber returns the number of a draft version, and 0 for other versions. A digest of workflow.FromContent can consist of digits only.
func draftNumber(version string) int {
	number, isDraft := strings.CutPrefix(version, draftPrefix)
	if !isDraft || len(number) == digestLength {
		return 0
	}
	n, _ := strconv.Atoi(number) // n is 0 if the text is no number
	return n
}

// isRegistered reports whether a version has the content of t. It tries to register t as that version.
func isRegistered(ctx context.Context, db executor.DBTX, t *Template, version string) (bool, error) {
	tried := *t
	tried.Version = version
	text, err := tried.JSON()
	if err != nil {
		return false, err
	}
	err = inTransaction(ctx, db, func(db executor.DBTX) error {
		if _, err := executor.New(db).RegisterTaskTemplate(ctx, text); err != nil {
			return err
		}
		return errNothingKept
	})
	switch {
	case errors.Is(err, errNothingKept):
		return true, nil
	case errors.Is(err, executor.ErrConflict), errors.Is(err, executor.ErrInvalid):
		return false, nil // Registration reports mistakes, with their lines.
	}
	return false, err
}
