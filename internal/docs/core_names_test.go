package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every name of a function, argument, column, table, index, state, event, type, service or action that the documents
// of tasker-core use.
const coreNames = `
AllStepsCompleted AllStepsSuccessful AlreadyComplete AnalyticsMetrics ArchiveStats BackoffCalculator BlockedByFailures
CycleDetected DependenciesReady EnqueueFailed EnqueueForOrchestration EnqueuedAsErrorForOrchestration
EnqueuedForOrchestration EnqueuingSteps ErrorStateCleanupAction EvaluatingResults ExecutionContextProvider
FallbackPoller FunctionRegistry GiveUp InProgress InvalidState ManualResolution MarkComplete MetricResult
NamespaceResolver NewTask NewTaskNamespace NoDependenciesReady NoStepsFound NotReady OrchestrationResultProcessor
PermanentFailure PersistenceResult ProcessorCrashed PublishTransitionEventAction ReadyStepsFound ReadyTaskInfo
ResolveManually ResolvedManually ResultProcessorActor RetryReady RowNotFound SlowestTaskAnalysis SqlFunctionExecutor
StateInitializer StateMachineError StepCanBeCompletedFromOrchestrationGuard StepCanBeEnqueuedForOrchestrationGuard
StepCanBeFailedFromOrchestrationGuard StepCanBeRetriedGuard StepCompleted StepDependenciesMetGuard StepEnqueuerActor
StepEnqueuerService StepEvent StepExecutionResult StepFailed StepNotInProgressGuard StepReadinessStatus
StepStateMachine StepTransitionPersistence StepsEnqueued StepsInProcess SystemHealthCounts TaskCoordinator TaskEvent
TaskFinalizer TaskFinalizerActor TaskInitializationError TaskInitializer TaskLib TaskNamespace TaskRequestActor
TaskRequestMessage TaskState TaskStateMachine TaskTransition TaskTransitionPersistence TaskWorker TimeoutError
TransitionContext TransitionGuard TriggerStepDiscoveryAction UpdateStepResultsAction UpdateTaskCompletionAction
WaitForRetry WaitingForDependencies WaitingForRetry WorkflowStep WorkflowStepBuilder WorkflowStepEdge
WorkflowStepResultAudit WorkflowStepState WorkflowStepTransition active_connections active_tasks_count
analysis_period_start archive_completed_tasks archived_task_transitions archived_tasks
archived_workflow_step_transitions archived_workflow_steps avg_duration_seconds avg_step_count avg_step_duration
avg_task_duration backoff_request_seconds base_delay base_retry_delay_seconds blocked_by_failures
blocked_by_failures_tasks blocking_reason calculate_backoff_delay calculate_dependency_levels calculate_identity_hash
calculate_step_depth calculate_step_next_retry_time calculated_at can_be_processed can_execute_now can_transition
cancelled_tasks check_ownership check_step_dependencies chk_task_transitions_to_state claim_task_for_finalization
complete_tasks completed_at completion_count completion_rate computed_priority connection_health connection_pressure
correlation_id create_parent create_partitioned create_queue create_step_dependencies create_step_result_audit
create_task create_with_transaction create_workflow_steps created_at current_state database_url
default_task_timeout_seconds delay_seconds dependencies_not_satisfied dependencies_satisfied dependency_level
dependency_levels detect_cycle effective_backoff_seconds enqueued_as_error_for_orchestration enqueued_at
enqueued_for_orchestration enqueuing_steps enqueuing_steps_tasks ensure_task_queue error_count error_rate error_tasks
evaluate_step_state_readiness evaluating_results evaluating_results_tasks event_type execution_count execution_status
execution_time_ms extract_queue_namespace failure_time finalization_claimed_at finalization_claimed_by
finalize_task_completion find_by_name from_state from_step_uuid get_analytics_metrics get_audit_history
get_by_correlation_id get_by_worker get_current get_current_processor get_current_task_state get_next_ready_task
get_next_ready_tasks get_queue_statistics get_ready_steps get_registered_tasks get_slowest_steps get_slowest_tasks
get_step_audit_history get_step_dependency_results_map get_step_readiness_status get_step_readiness_status_batch
get_step_transitive_dependencies get_system_health_counts get_task get_task_audit_history get_task_execution_context
get_task_ready_info handle_failures health_score health_status identity_hash idx_audit_correlation_id
idx_audit_recorded_at idx_audit_step_uuid idx_audit_success idx_audit_task_uuid idx_audit_worker_uuid
idx_task_transitions_processor idx_task_transitions_state_lookup idx_task_transitions_timeout
idx_tasks_active_with_priority_covering idx_tasks_correlation_hierarchy idx_tasks_correlation_id
idx_workflow_step_edges_from_step idx_workflow_step_edges_to_step idx_workflow_step_transitions_state_lookup
idx_workflow_steps_ready_covering idx_workflow_steps_task_covering idx_workflow_steps_transitive_deps in_process
initialize_task initialize_task_state initializing_tasks input_task_uuid invalid_state is_active is_error
is_in_processing_pipeline is_ready_for_claiming is_terminal is_under_heavy_load is_waiting last_attempted_at
last_executed_at last_failure_at last_retry_at limit_count list_tasks lock_timeout lock_timeout_seconds locked_until
max_attempts max_backoff_seconds max_connections max_duration_seconds max_retries min_duration_seconds most_recent
msg_id multi_instance named_step_uuid named_steps named_task_uuid named_tasks namespace_id namespace_name
newest_msg_age_seconds next_retry_at next_retry_time oldest_msg_age_seconds orchestration_step_results
p_backoff_multiplier p_backoff_seconds p_control p_from_state p_interval p_limit p_max_backoff_seconds p_metadata
p_parent_table p_premake p_processor_uuid p_step_uuid p_task_uuid p_to_state p_type parent_correlation_id parent_table
part_config partition_data_proc partition_interval pending_tasks permanently_blocked_steps pg_cron pg_partman
pg_total_relation_size pgmq_ensure_headers_column pgmq_message_ready pgmq_read_specific_message pgmq_send_with_notify
poll_interval_seconds process_batch processor_uuid queue_length queue_name read_ct ready_at ready_for_execution
ready_steps ready_steps_count ready_tasks recommended_action recorded_at requested_at requires_ownership
resolve_named_task resolve_namespace resolved_manually resolved_manually_tasks retention_days retention_interval
retention_keep_table retry_backoff_multiplier retry_count retry_eligible retry_interval retry_limit retry_not_eligible
run_maintenance satisfies_dependencies scheduled_at search_path send_email send_with_notify set_step_backoff_atomic
should_finalize since_timestamp sort_key started_at step_count step_name step_state_machine step_throughput step_uuid
step_uuids steps_in_process steps_in_process_tasks submit_task system_health_score system_name task_history task_id
task_name task_namespaces task_state_machine task_throughput task_transition_uuid task_transitions task_uuid
task_uuids tasker_tasks timeout_seconds to_state to_step_uuid total_namespaces_count total_parents total_tasks
transition_metadata transition_task_state_atomic transition_with_context transition_with_ownership
trg_step_result_audit unique_task_types_count updated_at uuid_generate_v7 wait_for_dependencies
waiting_for_dependencies waiting_for_dependencies_tasks waiting_for_retry waiting_for_retry_tasks with_worker
worker_id worker_uuid workflow_step_edges workflow_step_result_audit workflow_step_result_audit_uuid
workflow_step_transition_uuid workflow_step_transitions workflow_step_uuid workflow_steps would_create_cycle`

// TestFromTaskerCore_KnowsEveryName: Each name of tasker-core is a name of pgtasker, too, or the page for users of tasker-core
// has its new name.
func TestFromTaskerCore_KnowsEveryName(t *testing.T) {
	t.Parallel()
	var known []string
	word := regexp.MustCompile(`[A-Za-z0-9_]+`)
	// A name in a comment does not show that an object of that name exists. "comment on" is a comment, too.
	comments := regexp.MustCompile(`(?m)--.*$|^\s*//.*$|\s// .*$|(?s:comment on .*?;\n)`)
	read := func(file string) {
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		if !strings.HasSuffix(file, ".md") {
			text = comments.ReplaceAll(text, nil)
		}
		known = append(known, word.FindAllString(string(text), -1)...)
	}
	for _, page := range []string{"from-tasker-core", "indexes", "partitions", "tasklib", "states"} {
		read("docs/" + page + ".md")
	}
	for folder, ending := range map[string]string{
		"db/schema": ".sql", "executor": ".go", "state": ".go", "gen": ".go", "tasklib": ".go",
	} {
		require.NoError(t, fs.WalkDir(os.DirFS(filepath.Join(root, folder)), ".", func(file string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(file, ending) {
				read(filepath.Join(folder, file))
			}
			return err
		}))
	}
	slices.Sort(known)
	names := strings.Fields(coreNames)
	require.Greater(t, len(names), 350)
	for _, name := range names {
		_, found := slices.BinarySearch(known, name)
		require.True(t, found, "%s is nowhere, and docs/from-tasker-core.md does not say what it is here", name)
	}
}
