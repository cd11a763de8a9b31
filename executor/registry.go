package executor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
)

// FunctionRegistry groups the methods of an executor by what they are about, for programs that need a
// few of them and want to say which.
type FunctionRegistry struct {
	executor *SqlFunctionExecutor
}

// NewFunctionRegistry returns a registry whose functions run on db.
func NewFunctionRegistry(db DBTX) *FunctionRegistry {
	return &FunctionRegistry{executor: New(db)}
}

// Registry returns the functions about namespaces and task templates.
func (r *FunctionRegistry) Registry() RegistryFunctions { return r.executor }

// Tasks returns the functions that make tasks and show them.
func (r *FunctionRegistry) Tasks() TaskFunctions { return r.executor }

// State returns the functions about the states of tasks and steps.
func (r *FunctionRegistry) State() StateFunctions { return r.executor }

// DAG returns the functions about the graph of a task.
func (r *FunctionRegistry) DAG() DAGFunctions { return r.executor }

// Readiness returns the functions about when a step may run.
func (r *FunctionRegistry) Readiness() ReadinessFunctions { return r.executor }

// Settings returns the functions about settings.
func (r *FunctionRegistry) Settings() SettingFunctions { return r.executor }

// Partition returns the functions about the ranges of the run tables.
func (r *FunctionRegistry) Partition() PartitionFunctions { return r.executor }

// TaskFunctions are the functions that make tasks and show them.
type TaskFunctions interface {
	CreateTask(ctx context.Context, request TaskRequest) (gen.TaskCreation, error)
	CreateTasks(ctx context.Context, request TasksRequest) ([]gen.TaskCreation, error)
	GetTask(ctx context.Context, taskUUID uuid.UUID) (gen.TaskDetail, error)
	ListTasks(ctx context.Context, arg gen.ListTasksParams) ([]gen.TaskDetail, error)
	ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]gen.StepDetail, error)
}

// StateFunctions are the functions about the states of tasks and steps.
type StateFunctions interface {
	GetCurrentTaskState(ctx context.Context, taskUUID uuid.UUID) (state.TaskState, error)
	GetCurrentStepState(ctx context.Context, stepUUID uuid.UUID) (state.StepState, error)
	TransitionTaskStateAtomic(ctx context.Context, move TaskMove) (bool, error)
	TransitionStepStateAtomic(ctx context.Context, move StepMove) (bool, error)
	TaskCanComplete(ctx context.Context, taskUUID uuid.UUID) (bool, error)
	ListTaskStates(ctx context.Context) ([]gen.TaskStateProperties, error)
	ListStepStates(ctx context.Context) ([]gen.StepStateProperties, error)
	ListTaskTransitions(ctx context.Context) ([]gen.TaskTransition, error)
	ListStepTransitions(ctx context.Context) ([]gen.StepTransition, error)
}

// RegistryFunctions are the functions about namespaces and task templates.
type RegistryFunctions interface {
	RegisterNamespace(ctx context.Context, arg gen.RegisterNamespaceParams) (gen.TaskNamespace, error)
	ValidateTaskTemplate(ctx context.Context, template json.RawMessage) ([]gen.TemplateProblem, error)
	RegisterTaskTemplate(ctx context.Context, template json.RawMessage) (gen.TemplateRegistration, error)
	GetTaskTemplate(ctx context.Context, namespace, name string, version *string) (gen.TaskTemplate, error)
	ListTaskTemplates(ctx context.Context, namespace *string) ([]gen.TaskTemplateSummary, error)
	RetireTaskTemplate(ctx context.Context, namespace, name, version string) (bool, error)
	ListNamespaces(ctx context.Context) ([]gen.TaskNamespace, error)
}

// DAGFunctions are the functions about the graph of a task.
type DAGFunctions interface {
	DetectCycle(ctx context.Context, fromStepUUID, toStepUUID uuid.UUID) (bool, error)
	AddStepEdge(ctx context.Context, arg gen.AddStepEdgeParams) (bool, error)
	AddSteps(ctx context.Context, taskUUID uuid.UUID, steps json.RawMessage) ([]gen.StepAddition, error)
	CalculateDependencyLevels(ctx context.Context, taskUUID uuid.UUID) ([]gen.DependencyLevel, error)
	CalculateStepDepth(ctx context.Context, stepUUID uuid.UUID) (int32, error)
	GetStepTransitiveDependencies(ctx context.Context, stepUUID uuid.UUID) ([]gen.StepTransitiveDependency, error)
	GetStepDependencyResultsMap(ctx context.Context, stepUUID uuid.UUID) (map[string]StepExecutionResult, error)
	GetStepDAGRelationships(ctx context.Context, taskUUID uuid.UUID) ([]gen.StepDAGNode, error)
}

// ReadinessFunctions are the functions about when a step may run.
type ReadinessFunctions interface {
	GetStepReadinessStatus(ctx context.Context, taskUUID uuid.UUID, stepUUIDs []uuid.UUID) ([]StepReadinessStatus, error)
	GetStepReadinessStatusBatch(ctx context.Context, taskUUIDs []uuid.UUID) ([]StepReadinessStatus, error)
	GetReadySteps(ctx context.Context, taskUUID uuid.UUID) ([]StepReadinessStatus, error)
	CheckStepDependencies(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	ExplainStep(ctx context.Context, stepUUID uuid.UUID) (gen.StepExplanation, error)
	EvaluateStepStateReadiness(ctx context.Context, arg gen.EvaluateStepStateReadinessParams) (bool, error)
	CalculateStepNextRetryTime(ctx context.Context, arg gen.CalculateStepNextRetryTimeParams) (*time.Time, error)
	SetStepBackoffAtomic(ctx context.Context, stepUUID uuid.UUID, backoffSeconds int32) (bool, error)
	CalculateBackoffDelay(ctx context.Context, arg gen.CalculateBackoffDelayParams) (float64, error)
	StepDependenciesMet(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	StepHasAttemptsLeft(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	StepCanBeRetried(ctx context.Context, stepUUID uuid.UUID) (bool, error)
}

// SettingFunctions are the functions about settings.
type SettingFunctions interface {
	GetSetting(ctx context.Context, name string) (string, error)
	SetSetting(ctx context.Context, name string, value *string) (string, error)
	ListSettings(ctx context.Context) ([]gen.Setting, error)
	Clock(ctx context.Context) (time.Time, error)
}

// PartitionFunctions are the functions about the ranges of the run tables.
type PartitionFunctions interface {
	EnsurePartitions(ctx context.Context) (int32, error)
	ListPartitionRanges(ctx context.Context) ([]gen.PartitionRange, error)
}
