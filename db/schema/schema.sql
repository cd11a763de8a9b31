-- The contents page of the database, and its loader:
--
--   psql -1 -v ON_ERROR_STOP=1 -f db/schema/schema.sql
--
-- builds in an empty database what all migrations build. Each section is one initial migration;
-- "make migration" composes it from the files named here.

-- migration: 20261121000100_schema — roles and the schema itself, owned by tasker_owner
-- role: none
\ir roles.sql
\ir tasker.sql

set local role tasker_owner;

-- migration: 20261121000200_foundation — types, identifiers, the clock, settings
\ir types/task_state.sql
\ir types/step_state.sql
\ir types/queue_lane.sql
\ir types/timer_kind.sql
\ir functions/internal/uuid_generate_v7.sql
\ir data/native_uuid_v7.sql
\ir functions/internal/uuid_v7_floor.sql
\ir functions/internal/uuid_v7_time.sql
\ir functions/task/is_task_uuid.sql
\ir functions/task/task_uuid_of.sql
\ir functions/step/step_no_of.sql
\ir functions/step/step_uuid.sql
\ir functions/internal/transition_uuid.sql
\ir functions/internal/clock.sql
\ir functions/internal/caller_name.sql
\ir functions/internal/setting_accepts.sql
\ir tables/settings.sql
\ir data/settings.sql
\ir functions/internal/setting.sql
\ir functions/internal/setting_integer.sql
\ir functions/internal/setting_numeric.sql
\ir functions/internal/setting_boolean.sql
\ir functions/operate/get_setting.sql
\ir functions/operate/list_settings.sql
\ir functions/operate/set_setting.sql

-- migration: 20261121000300_registry — namespaces, task templates and their graphs
\ir tables/task_namespaces.sql
\ir tables/named_tasks.sql
\ir tables/named_steps.sql
\ir tables/named_tasks_named_steps.sql
\ir tables/named_task_edges.sql
\ir functions/internal/refuse_registry_delete.sql
\ir triggers/registry_delete.sql

-- migration: 20261121000400_states — what states mean and what may follow them, as data
\ir tables/task_states.sql
\ir data/task_states.sql
\ir tables/task_state_machine.sql
\ir data/task_state_machine.sql
\ir tables/step_states.sql
\ir data/step_states.sql
\ir tables/step_state_machine.sql
\ir data/step_state_machine.sql
\ir tables/step_sweeps.sql
\ir data/step_sweeps.sql
\ir functions/internal/parse_task_state.sql
\ir functions/internal/parse_step_state.sql
\ir functions/internal/task_event.sql
\ir functions/internal/step_event.sql
\ir functions/task/list_task_states.sql
\ir functions/task/list_task_transitions.sql
\ir functions/task/task_state_is_terminal.sql
\ir functions/task/task_state_requires_ownership.sql
\ir functions/task/task_state_is_active.sql
\ir functions/task/task_state_is_waiting.sql
\ir functions/task/task_state_can_be_processed.sql
\ir functions/step/list_step_states.sql
\ir functions/step/list_step_transitions.sql
\ir functions/step/step_state_is_terminal.sql
\ir functions/step/step_state_is_error.sql
\ir functions/step/step_state_is_active.sql
\ir functions/step/step_state_is_in_processing_pipeline.sql
\ir functions/step/step_state_is_ready_for_claiming.sql
\ir functions/step/step_state_satisfies_dependencies.sql

-- migration: 20261121000500_runs — tasks, steps, their history, and the small hot tables beside them
\ir tables/tasks.sql
\ir tables/workflow_steps.sql
\ir tables/workflow_step_edges.sql
\ir tables/task_transition_log.sql
\ir tables/workflow_step_transition_log.sql
\ir tables/workflow_step_result_audit.sql
\ir tables/task_identities.sql
\ir tables/step_queue.sql
\ir tables/waiting_tasks.sql
\ir tables/timers.sql
\ir tables/workers.sql
\ir tables/tasks_dlq.sql
\ir functions/internal/refuse_log_change.sql
\ir triggers/append_only.sql
\ir functions/internal/check_task_transitions.sql
\ir functions/internal/check_step_transitions.sql
\ir functions/internal/audit_step_results.sql
\ir triggers/transitions.sql
\ir functions/internal/check_step_edges.sql
\ir triggers/step_edges.sql
\ir views/task_transitions.sql
\ir views/workflow_step_transitions.sql
\ir views/step_edges.sql
\ir views/step_result_audit.sql

-- migration: 20261121000600_partitions — ranges of the run tables, made ahead
\ir functions/internal/partition_unit.sql
\ir tables/partition_config.sql
\ir data/partition_config.sql
\ir tables/partitioned_tables.sql
\ir data/partitioned_tables.sql
\ir tables/partition_foreign_keys.sql
\ir data/partition_foreign_keys.sql
\ir tables/partition_ranges.sql
\ir functions/internal/partition_floor.sql
\ir functions/internal/copy_statement_triggers.sql
\ir functions/internal/create_partition_range.sql
\ir functions/internal/drop_partition_range.sql
\ir functions/partition/ensure_partitions.sql
\ir functions/partition/list_partition_ranges.sql
\ir functions/internal/mint_task_uuids.sql
\ir functions/internal/mint_task_uuid.sql
\ir functions/task/check_task_uuid.sql
\ir data/partitions.sql

-- migration: 20261121000700_transitions — one task or step moved at a time, with its guards and effects
\ir functions/internal/raise_task_not_found.sql
\ir functions/internal/raise_step_not_found.sql
\ir functions/task/get_current_task_state.sql
\ir functions/step/get_current_step_state.sql
\ir functions/internal/join_holds.sql
\ir functions/task/task_can_complete.sql
\ir functions/step/step_dependencies_met.sql
\ir functions/step/step_not_in_progress.sql
\ir functions/step/step_has_attempts_left.sql
\ir functions/step/step_can_be_retried.sql
\ir functions/step/step_can_be_enqueued_for_orchestration.sql
\ir functions/step/step_can_be_completed_from_orchestration.sql
\ir functions/step/step_can_be_failed_from_orchestration.sql
\ir functions/readiness/calculate_backoff_delay.sql
\ir functions/internal/check_transition_metadata.sql
\ir functions/internal/check_step_guards.sql
\ir functions/internal/check_task_guards.sql
\ir functions/internal/notify_steps_ready.sql
\ir functions/internal/notify_task_event.sql
\ir functions/internal/await_orchestrator.sql
\ir functions/internal/condition_holds.sql
\ir functions/internal/settle_children.sql
\ir functions/internal/count_step_transition.sql
\ir functions/internal/count_steps.sql
\ir functions/internal/step_lane.sql
\ir functions/internal/step_queue_name.sql
\ir functions/internal/announce_steps.sql
\ir functions/internal/place_step.sql
\ir functions/internal/write_step_transition.sql
\ir functions/step/transition_step_state_atomic.sql
\ir functions/internal/sweep_steps.sql
\ir functions/internal/write_task_transition.sql
\ir functions/internal/schedule_task.sql
\ir functions/task/transition_task_state_atomic.sql

-- migration: 20261121000800_dag — the graph of a task
\ir functions/dag/detect_cycle.sql
\ir functions/internal/condition_error.sql
\ir functions/internal/parse_condition.sql
\ir functions/internal/lock_open_task.sql
\ir functions/dag/add_step_edge.sql

-- migration: 20261121000900_queues — functions over pgmq queues: send and announce, read, look, measure
\ir data/queue_settings.sql
\ir tables/queue_notifications.sql
\ir tables/queue_messages.sql
\ir tables/queue_statistics.sql
\ir functions/queue/extract_queue_namespace.sql
\ir functions/queue/check_queue_name.sql
\ir functions/queue/check_pgmq_access.sql
\ir functions/queue/queue_table.sql
\ir functions/queue/queue_message_columns.sql
\ir functions/queue/check_queue_messages.sql
\ir functions/queue/notify_queue.sql
\ir functions/queue/pgmq_kind.sql
\ir functions/queue/pgmq_send_with_notify.sql
\ir functions/queue/pgmq_send_batch_with_notify.sql
\ir functions/queue/pgmq_read_specific_message.sql
\ir functions/queue/pgmq_ensure_headers_column.sql
\ir functions/queue/ensure_task_queue.sql
\ir functions/queue/queue_statistics_of.sql
\ir functions/queue/get_queue_statistics.sql
\ir functions/queue/peek_queue.sql
\ir functions/queue/drop_schema_quietly.sql
\ir functions/queue/adopt_pgmq.sql
\ir functions/queue/settle_pgmq.sql
\ir functions/queue/stage_pgmq.sql
\ir functions/queue/move_queue_to_extension.sql
\ir functions/queue/move_pgmq_to_extension.sql
\ir functions/queue/drop_own_pgmq.sql

-- migration: 20261121000950_pgmq_1_11 — schema pgmq, unless the database has one or can have the extension
\ir pgmq/schema.sql
\ir pgmq/types/message_record.sql
\ir pgmq/types/queue_record.sql
\ir pgmq/types/metrics_result.sql
\ir pgmq/tables/meta.sql
\ir pgmq/tables/notify_insert_throttle.sql
\ir pgmq/tables/topic_bindings.sql
\ir pgmq/functions/format_table_name.sql
\ir pgmq/functions/validate_queue_name.sql
\ir pgmq/functions/acquire_queue_lock.sql
\ir pgmq/functions/_create_queue.sql
\ir pgmq/functions/create.sql
\ir pgmq/functions/create_non_partitioned.sql
\ir pgmq/functions/create_unlogged.sql
\ir pgmq/functions/create_partitioned.sql
\ir pgmq/functions/convert_archive_partitioned.sql
\ir pgmq/functions/drop_queue.sql
\ir pgmq/functions/detach_archive.sql
\ir pgmq/functions/list_queues.sql
\ir pgmq/functions/metrics.sql
\ir pgmq/functions/metrics_all.sql
\ir pgmq/functions/purge_queue.sql
\ir pgmq/functions/_validate_batch_params.sql
\ir pgmq/functions/_send_batch.sql
\ir pgmq/functions/send.sql
\ir pgmq/functions/send_batch.sql
\ir pgmq/functions/read.sql
\ir pgmq/functions/read_with_poll.sql
\ir pgmq/functions/pop.sql
\ir pgmq/functions/set_vt.sql
\ir pgmq/functions/delete.sql
\ir pgmq/functions/archive.sql
\ir pgmq/functions/_claim_groups.sql
\ir pgmq/functions/read_grouped.sql
\ir pgmq/functions/read_grouped_rr.sql
\ir pgmq/functions/read_grouped_head.sql
\ir pgmq/functions/read_grouped_with_poll.sql
\ir pgmq/functions/read_grouped_rr_with_poll.sql
\ir pgmq/functions/create_fifo_index.sql
\ir pgmq/functions/create_fifo_indexes_all.sql
\ir pgmq/functions/notify_queue_listeners.sql
\ir pgmq/functions/enable_notify_insert.sql
\ir pgmq/functions/disable_notify_insert.sql
\ir pgmq/functions/update_notify_insert.sql
\ir pgmq/functions/list_notify_insert_throttles.sql
\ir pgmq/functions/validate_routing_key.sql
\ir pgmq/functions/validate_topic_pattern.sql
\ir pgmq/functions/bind_topic.sql
\ir pgmq/functions/unbind_topic.sql
\ir pgmq/functions/list_topic_bindings.sql
\ir pgmq/functions/test_routing.sql
\ir pgmq/functions/send_topic.sql
\ir pgmq/functions/send_batch_topic.sql
\ir pgmq/functions/_pgtasker_version.sql
\ir pgmq/settle.sql

-- migration: 20261121001000_definitions — registering templates, the shape of graphs, what is ready
\ir tables/template_fields.sql
\ir data/template_fields.sql
\ir tables/template_problems.sql
\ir tables/template_registrations.sql
\ir tables/task_templates.sql
\ir tables/task_template_summaries.sql
\ir functions/internal/nearest_name.sql
\ir functions/internal/graph_levels.sql
\ir functions/internal/graph_cycle.sql
\ir functions/internal/graph_distances.sql
\ir functions/internal/template_value_problem.sql
\ir functions/internal/template_shape_problems.sql
\ir functions/internal/template_reference_problems.sql
\ir functions/internal/template_cycle_problems.sql
\ir functions/registry/validate_task_template.sql
\ir functions/internal/check_task_template.sql
\ir functions/internal/normalize_template.sql
\ir functions/internal/template_differences.sql
\ir functions/internal/raise_template_not_found.sql
\ir functions/internal/insert_handlers.sql
\ir functions/internal/insert_template_steps.sql
\ir functions/registry/register_namespace.sql
\ir functions/registry/register_task_template.sql
\ir functions/registry/get_task_template.sql
\ir functions/registry/list_task_templates.sql
\ir functions/registry/retire_task_template.sql
\ir tables/dependency_levels.sql
\ir tables/step_transitive_dependencies.sql
\ir tables/step_dag_nodes.sql
\ir functions/internal/check_task_exists.sql
\ir functions/internal/check_step_exists.sql
\ir functions/internal/task_levels.sql
\ir functions/internal/step_ancestors.sql
\ir functions/dag/calculate_dependency_levels.sql
\ir functions/dag/calculate_step_depth.sql
\ir functions/dag/get_step_transitive_dependencies.sql
\ir functions/dag/get_step_dag_relationships.sql
\ir views/step_dag_relationships.sql
\ir tables/step_readiness_status.sql
\ir tables/step_explanations.sql
\ir functions/internal/blocking_reason.sql
\ir functions/internal/task_blocking_reason.sql
\ir functions/internal/step_readiness.sql
\ir functions/readiness/get_step_readiness_status.sql
\ir functions/readiness/get_step_readiness_status_batch.sql
\ir functions/readiness/get_ready_steps.sql
\ir functions/readiness/check_step_dependencies.sql
\ir functions/readiness/evaluate_step_state_readiness.sql
\ir functions/readiness/calculate_step_next_retry_time.sql
\ir functions/readiness/set_step_backoff_atomic.sql
\ir functions/internal/explain_blocking.sql
\ir functions/readiness/explain_step.sql

-- migration: 20261121001100_creation — tasks made of templates, once each, and looked at
\ir tables/task_creations.sql
\ir functions/internal/find_template.sql
\ir functions/internal/check_task_requests.sql
\ir functions/internal/task_identity.sql
\ir functions/internal/claim_identities.sql
\ir functions/internal/accept_task_uuids.sql
\ir functions/internal/check_task_uuids_free.sql
\ir functions/internal/task_prototype.sql
\ir functions/internal/template_roots.sql
\ir functions/internal/insert_tasks.sql
\ir functions/internal/insert_task_steps.sql
\ir functions/internal/log_task_start.sql
\ir functions/internal/schedule_new_tasks.sql
\ir functions/task/create_tasks.sql
\ir functions/task/create_task.sql
\ir tables/task_details.sql
\ir functions/task/get_task.sql
\ir functions/task/list_tasks.sql
\ir tables/step_details.sql
\ir functions/step/list_steps.sql
\ir functions/registry/list_namespaces.sql
\ir tables/step_additions.sql
\ir functions/internal/normalize_added_steps.sql
\ir functions/internal/insert_added_steps.sql
\ir functions/dag/add_steps.sql

reset role;
