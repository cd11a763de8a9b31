package executor

import (
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/kin"
)

func init() {
	kin.CheckBuild = checkBuild
	kin.TranslateErrors = func(db gen.DBTX) gen.DBTX { return translator{db: db} }
	kin.NewTaskError = func(task gen.TaskDetail, steps []gen.StepDetail, step string) error {
		return newTaskError(task, steps, step)
	}
}
