package executor

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// FunctionRegistry groups the methods of an executor by topic, for programs that need a
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

// Work returns what workers call: claims, results, leases.
func (r *FunctionRegistry) Work() WorkFunctions { return r.executor }

// Orchestration returns what orchestrators call.
func (r *FunctionRegistry) Orchestration() OrchestrationFunctions { return r.executor }

// Operations returns what people do to running work.
func (r *FunctionRegistry) Operations() OperationFunctions { return r.executor }

// Events returns the functions about events that many steps may wait for.
func (r *FunctionRegistry) Events() EventFunctions { return r.executor }

// Waits returns the functions about steps that wait, and the signals that end their waits.
func (r *FunctionRegistry) Waits() WaitFunctions { return r.executor }

// Audit returns the functions about who recorded which result.
func (r *FunctionRegistry) Audit() AuditFunctions { return r.executor }

// Settings returns the functions about settings.
func (r *FunctionRegistry) Settings() SettingFunctions { return r.executor }

// Tokens returns the functions about the tokens that tasker serve accepts.
func (r *FunctionRegistry) Tokens() TokenFunctions { return r.executor }

// Sessions returns the functions about people who sign in to tasker serve.
func (r *FunctionRegistry) Sessions() SessionFunctions { return r.executor }

// Wakeups returns what clients call that sleep until a notification wakes them.
func (r *FunctionRegistry) Wakeups() WakeupFunctions { return r.executor }

// Installation returns the functions about the server and the database that pgtasker runs in.
func (r *FunctionRegistry) Installation() InstallationFunctions { return r.executor }

// Partition returns the functions about the ranges of the run tables.
func (r *FunctionRegistry) Partition() PartitionFunctions { return r.executor }

// TaskFunctions are the functions that make tasks, show them and wait for them.
type TaskFunctions interface {
	CreateTask(ctx context.Context, request TaskRequest) (TaskCreation, error)
	CreateTasks(ctx context.Context, request TasksRequest) ([]TaskCreation, error)
	GetTask(ctx context.Context, taskUUID uuid.UUID) (TaskDetail, error)
	GetTaskHistory(ctx context.Context, taskUUID uuid.UUID, maxRows int32) ([]TaskEvent, error)
	GetTaskTree(ctx context.Context, taskUUID uuid.UUID, limit int32) ([]TaskTreeNode, error)
	ListTasks(ctx context.Context, arg ListTasksParams) ([]TaskDetail, error)
	FindTasksByShortID(ctx context.Context, shortID string) ([]TaskDetail, error)
	FindTasksByKey(ctx context.Context, identityKey string, namespace, name string) ([]TaskDetail, error)
	ListRunningSteps(ctx context.Context, namespace string, limit int32) ([]RunningStep, error)
	ListSteps(ctx context.Context, taskUUID uuid.UUID) ([]StepDetail, error)
	GetCurrentTaskTransition(ctx context.Context, taskUUID uuid.UUID) ([]TaskEvent, error)
	GetCurrentStepTransition(ctx context.Context, stepUUID uuid.UUID) ([]TaskEvent, error)
	GetStepHistory(ctx context.Context, stepUUID uuid.UUID, maxRows int32) ([]TaskEvent, error)
	WaitForTask(ctx context.Context, taskUUID uuid.UUID, config WatchConfig) (TaskDetail, error)
	WatchTask(ctx context.Context, taskUUID uuid.UUID, config WatchConfig) iter.Seq2[TaskDetail, error]
}

// StateFunctions are the functions about the states of tasks and steps.
type StateFunctions interface {
	GetCurrentTaskState(ctx context.Context, taskUUID uuid.UUID) (state.TaskState, error)
	GetCurrentStepState(ctx context.Context, stepUUID uuid.UUID) (state.StepState, error)
	TransitionTaskStateAtomic(ctx context.Context, move TaskMove) (bool, error)
	TransitionStepStateAtomic(ctx context.Context, move StepMove) (bool, error)
	TaskCanComplete(ctx context.Context, taskUUID uuid.UUID) (bool, error)
	ListTaskStates(ctx context.Context) ([]TaskStateProperties, error)
	ListStepStates(ctx context.Context) ([]StepStateProperties, error)
	ListTaskTransitions(ctx context.Context) ([]TaskTransition, error)
	ListStepTransitions(ctx context.Context) ([]StepTransition, error)
}

// RegistryFunctions are the functions about namespaces and task templates.
type RegistryFunctions interface {
	RegisterNamespace(ctx context.Context, arg RegisterNamespaceParams, act ...Act) (TaskNamespace, error)
	ValidateTaskTemplate(ctx context.Context, template json.RawMessage) ([]TemplateProblem, error)
	RegisterTaskTemplate(ctx context.Context, template json.RawMessage, act ...Act) (TemplateRegistration, error)
	GetTaskTemplate(ctx context.Context, namespace, name string, version string) (TaskTemplate, error)
	ListTaskTemplates(ctx context.Context, namespace string) ([]TaskTemplateSummary, error)
	RetireTaskTemplate(ctx context.Context, namespace, name, version string, act ...Act) (bool, error)
	ListNamespaces(ctx context.Context) ([]TaskNamespace, error)
}

// DAGFunctions are the functions about the graph of a task.
type DAGFunctions interface {
	DetectCycle(ctx context.Context, fromStepUUID, toStepUUID uuid.UUID) (bool, error)
	AddStepEdge(ctx context.Context, arg AddStepEdgeParams) (bool, error)
	AddSteps(ctx context.Context, taskUUID uuid.UUID, steps json.RawMessage) ([]StepAddition, error)
	CalculateDependencyLevels(ctx context.Context, taskUUID uuid.UUID) ([]DependencyLevel, error)
	CalculateStepDepth(ctx context.Context, stepUUID uuid.UUID) (int32, error)
	GetStepTransitiveDependencies(ctx context.Context, stepUUID uuid.UUID) ([]StepTransitiveDependency, error)
	GetStepDependencyResultsMap(ctx context.Context, stepUUID uuid.UUID) (map[string]StepExecutionResult, error)
	GetStepDAGRelationships(ctx context.Context, taskUUID uuid.UUID) ([]StepDAGNode, error)
}

// ReadinessFunctions are the functions about when a step may run.
type ReadinessFunctions interface {
	GetStepReadinessStatus(ctx context.Context, taskUUID uuid.UUID, stepUUIDs []uuid.UUID) ([]StepReadinessStatus, error)
	GetStepReadinessStatusBatch(ctx context.Context, taskUUIDs []uuid.UUID) ([]StepReadinessStatus, error)
	GetReadySteps(ctx context.Context, taskUUID uuid.UUID) ([]StepReadinessStatus, error)
	CheckStepDependencies(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	ExplainStep(ctx context.Context, stepUUID uuid.UUID) (StepExplanation, error)
	EvaluateStepStateReadiness(ctx context.Context, arg EvaluateStepStateReadinessParams) (bool, error)
	CalculateStepNextRetryTime(ctx context.Context, arg CalculateStepNextRetryTimeParams) (*time.Time, error)
	SetStepBackoffAtomic(ctx context.Context, stepUUID uuid.UUID, backoffSeconds float64) (bool, error)
	CalculateBackoffDelay(ctx context.Context, arg CalculateBackoffDelayParams) (float64, error)
	StepDependenciesMet(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	StepHasAttemptsLeft(ctx context.Context, stepUUID uuid.UUID) (bool, error)
	StepCanBeRetried(ctx context.Context, stepUUID uuid.UUID) (bool, error)
}

// SettingFunctions are the functions about settings.
type SettingFunctions interface {
	GetSetting(ctx context.Context, name string) (string, error)
	SetSetting(ctx context.Context, name string, value *string, act ...Act) (string, error)
	ListSettings(ctx context.Context) ([]Setting, error)
	Clock(ctx context.Context) (time.Time, error)
}

// WakeupFunctions are what clients call that sleep until a notification wakes them. [Listen], WaitForTask and
// workers do.
type WakeupFunctions interface {
	MarkSleeping(ctx context.Context, sleeperUUID uuid.UUID, channels []string, seconds int32) (bool, error)
	MarkAwake(ctx context.Context, sleeperUUID uuid.UUID, channels []string) (bool, error)
	OpenWriters(ctx context.Context, writers []int64) ([]int64, error)
}

// TokenFunctions are the functions about the tokens that tasker serve accepts.
type TokenFunctions interface {
	CreateToken(ctx context.Context, arg CreateTokenParams, act ...Act) (TokenDetail, error)
	RevokeToken(ctx context.Context, name string, act ...Act) (bool, error)
	ListTokens(ctx context.Context) ([]TokenDetail, error)
	AuthenticateToken(ctx context.Context, tokenHash []byte) (TokenDetail, error)
	AssumeToken(ctx context.Context, tokenHash []byte) (TokenDetail, error)
	CheckServerLogin(ctx context.Context) ([]InstallationFinding, error)
}

// SessionFunctions are the functions about people who sign in to tasker serve, and what they may do.
type SessionFunctions interface {
	MapAccess(ctx context.Context, arg MapAccessParams) (AccessMapDetail, error)
	UnmapAccess(ctx context.Context, claim string, value string) (bool, error)
	ListAccessMaps(ctx context.Context) ([]AccessMapDetail, error)
	OpenSession(ctx context.Context, arg OpenSessionParams) (SessionDetail, error)
	AuthenticateSession(ctx context.Context, tokenHash []byte) (SessionDetail, error)
	AssumeSession(ctx context.Context, tokenHash []byte) (SessionDetail, error)
	AccessOfPerson(ctx context.Context, claims json.RawMessage) (AccessMapDetail, error)
	AssumePerson(ctx context.Context, claims json.RawMessage, signedInAt time.Time) (AccessMapDetail, error)
	RefreshSession(ctx context.Context, tokenHash []byte, claims json.RawMessage, sealed []byte) (bool, error)
	TouchSession(ctx context.Context, tokenHash []byte) (bool, error)
	SealedSession(ctx context.Context, tokenHash []byte) ([]byte, error)
	SignOut(ctx context.Context, tokenHash []byte) (bool, error)
	EndSession(ctx context.Context, sessionUUID uuid.UUID) (bool, error)
	EndSessions(ctx context.Context, person string) (int32, error)
	ListSessions(ctx context.Context, allSessions bool) ([]SessionDetail, error)
	CheckRecentSignIn(ctx context.Context) (bool, error)
}

// InstallationFunctions are the functions about the server and the database that pgtasker runs in.
type InstallationFunctions interface {
	CheckInstallation(ctx context.Context) ([]InstallationFinding, error)
}

// PartitionFunctions are the functions about the ranges of the run tables.
type PartitionFunctions interface {
	EnsurePartitions(ctx context.Context) (int32, error)
	ListPartitionRanges(ctx context.Context) ([]PartitionRange, error)
	SetupPartitioning(ctx context.Context, arg SetupPartitioningParams, act ...Act) (PartitionStatus, error)
	PartitionStatus(ctx context.Context) (PartitionStatus, error)
	PartitionSizes(ctx context.Context) ([]PartitionSize, error)
	HeldPartitions(ctx context.Context) ([]HeldPartition, error)
	ApplyRetention(ctx context.Context) ([]RetentionOutcome, error)
	EvacuatePartition(ctx context.Context, startsAt time.Time, maxTasks int32, act ...Act) (RetentionOutcome, error)
	AnalyzeGrowth(ctx context.Context) (GrowthAnalysis, error)
	AnalyzeParents(ctx context.Context, olderThan time.Duration) (string, error)
	GCIdentities(ctx context.Context, limit int32) (int32, error)
	GCQueueArchives(ctx context.Context, limit int32) (int32, error)
	SetupCron(ctx context.Context, enabled bool, act ...Act) ([]CronJob, error)
}

// WorkFunctions are what workers call.
type WorkFunctions interface {
	ClaimSteps(ctx context.Context, request ClaimRequest) ([]ClaimedStep, error)
	ClaimStep(ctx context.Context, stepUUID, workerUUID uuid.UUID, lease time.Duration) (ClaimedStep, error)
	ClaimDeliveredSteps(ctx context.Context, stepUUIDs []uuid.UUID, workerUUID uuid.UUID, lease time.Duration) (ExchangeReply, error)
	PublishSteps(ctx context.Context, arg PublishStepsParams) ([]PublishedStep, error)
	CompleteSteps(ctx context.Context, results []StepResult) ([]StepAnswer, error)
	FailSteps(ctx context.Context, failures []StepResult) ([]StepAnswer, error)
	ExchangeSteps(ctx context.Context, exchange Exchange) (ExchangeReply, error)
	StartTask(ctx context.Context, request StartRequest) (StartedTask, error)
	ExtendLeases(ctx context.Context, claims []StepClaim, lease time.Duration) ([]StepLease, error)
	CheckpointStep(ctx context.Context, claim StepClaim, checkpoint json.RawMessage, lease time.Duration) (string, error)
	ReleaseSteps(ctx context.Context, claims []StepClaim) ([]StepAnswer, error)
	GetParentResults(ctx context.Context, stepUUID uuid.UUID, afterStepNo, maxRows int32) ([]ParentResult, error)
	GetAncestorResult(ctx context.Context, stepUUID uuid.UUID, name string) ([]ParentResult, error)
	ListUnservedSteps(ctx context.Context, namespaces []string) ([]UnservedStep, error)
	RegisterWorker(ctx context.Context, worker RegisterWorkerParams) (bool, error)
	HeartbeatWorker(ctx context.Context, workerUUID uuid.UUID) (bool, error)
	WarmSession(ctx context.Context) (bool, error)
	ListWorkers(ctx context.Context, seenWithin time.Duration) ([]WorkerDetail, error)
	NextDueAt(ctx context.Context, namespaces []string, orchestrator bool) (*time.Time, error)
	NextLaterAt(ctx context.Context, namespaces []string) (*time.Time, error)
}

// OrchestrationFunctions are what orchestrators call.
type OrchestrationFunctions interface {
	Orchestrate(ctx context.Context, maxItems int32) (OrchestrationReport, error)
	OrchestrateAs(ctx context.Context, maxItems int32, processorUUID uuid.UUID) (OrchestrationReport, error)
	FireDueTimers(ctx context.Context, maxItems int32) (int32, error)
	ProcessStepResults(ctx context.Context, maxItems int32) (int32, error)
	ProcessTaskRequests(ctx context.Context, maxItems int32) (int32, error)
	AdvanceTask(ctx context.Context, taskUUID uuid.UUID) (state.TaskState, error)
	ClaimTaskForFinalization(ctx context.Context, taskUUID, processorUUID uuid.UUID, leaseSeconds int32) (bool, error)
	FinalizeTaskCompletion(ctx context.Context, taskUUID uuid.UUID, processorUUID uuid.UUID) (bool, error)
}

// OperationFunctions are what people do to running work. Reason and actor go into the logs; a nil actor
// is the role of the caller.
type OperationFunctions interface {
	CancelTask(ctx context.Context, taskUUID uuid.UUID, reason, actor string) (bool, error)
	GiveUpTask(ctx context.Context, taskUUID uuid.UUID, reason, actor string) (bool, error)
	ResolveTaskManually(ctx context.Context, taskUUID uuid.UUID, reason, actor string) (bool, error)
	ResetTask(ctx context.Context, taskUUID uuid.UUID, reason, actor string) (bool, error)
	ResetTasks(ctx context.Context, arg ResetTasksParams) ([]TaskReset, error)
	ForkTask(ctx context.Context, arg ForkTaskParams) (uuid.UUID, error)
	RetryStep(ctx context.Context, stepUUID uuid.UUID, reason, actor string) (bool, error)
	ResolveStepManually(ctx context.Context, stepUUID uuid.UUID, reason, actor string) (bool, error)
	CompleteStepByName(ctx context.Context, taskUUID uuid.UUID, stepName string, completion StepCompletion) (bool, error)
	CompleteStepManually(ctx context.Context, arg CompleteStepManuallyParams) (bool, error)
	PauseNamespace(ctx context.Context, namespace string, act ...Act) (bool, error)
	ResumeNamespace(ctx context.Context, namespace string, act ...Act) (bool, error)
	BindRole(ctx context.Context, roleName string, namespaces []string, act ...Act) (int32, error)
	BoundNamespaces(ctx context.Context) ([]string, error)
	MaySeeTask(ctx context.Context, taskUUID uuid.UUID) (bool, error)
}

// AuditFunctions are the functions about who recorded which result.
type AuditFunctions interface {
	GetStepAuditHistory(ctx context.Context, stepUUID uuid.UUID) ([]StepAudit, error)
	GetTaskAuditHistory(ctx context.Context, taskUUID uuid.UUID, maxRows int32) ([]StepAudit, error)
	GetAuditByWorker(ctx context.Context, workerUUID uuid.UUID, maxRows int32) ([]StepAudit, error)
	GetAuditByCorrelationID(ctx context.Context, correlationID uuid.UUID, maxRows int32) ([]StepAudit, error)
	GetAuditByTimeRange(ctx context.Context, arg GetAuditByTimeRangeParams) ([]StepAudit, error)
	CheckIntegrity(ctx context.Context, since, until time.Time, limit int32) ([]IntegrityProblem, error)
	BackfillStepResultAudit(ctx context.Context, since, until time.Time, limit int32) (int64, error)
}
