-- Every function of schema tasker, called as every role with nulls for arguments. A function that is
-- not in the matrix fails this test. The calls run in subtransactions: nothing of them survives.
begin;
select plan(11);

create temporary table matrix (
  function  text  primary key,
  roles     text  not null
);

insert into matrix (function, roles) values
  -- Public.
  ('add_step_edge',                           'submitter worker orchestrator operator'),
  ('add_steps',                               'submitter worker orchestrator operator'),
  ('advance_task',                            'orchestrator operator'),
  ('analyze_growth',                          'orchestrator operator reader'),
  ('analyze_parents',                         'orchestrator operator'),
  ('apply_retention',                         'orchestrator operator'),
  ('bind_worker_role',                        'operator'),
  ('calculate_backoff_delay',                 'submitter worker orchestrator operator reader'),
  ('calculate_dependency_levels',             'submitter worker orchestrator operator reader'),
  ('calculate_step_depth',                    'submitter worker orchestrator operator reader'),
  ('calculate_step_next_retry_time',          'submitter worker orchestrator operator reader'),
  ('cancel_task',                             'submitter orchestrator operator'),
  ('check_installation',                      'orchestrator operator reader'),
  ('check_step_dependencies',                 'submitter worker orchestrator operator reader'),
  ('check_task_uuid',                         'submitter worker orchestrator operator'),
  ('checkpoint_step',                         'worker orchestrator operator'),
  ('claim_step',                              'worker orchestrator operator'),
  ('claim_steps',                             'worker orchestrator operator'),
  ('claim_task_for_finalization',             'orchestrator operator'),
  ('clock',                                   'submitter worker orchestrator operator reader'),
  ('complete_step_manually',                  'orchestrator operator'),
  ('complete_steps',                          'worker orchestrator operator'),
  ('create_task',                             'submitter worker orchestrator operator'),
  ('create_tasks',                            'submitter worker orchestrator operator'),
  ('detect_cycle',                            'submitter worker orchestrator operator reader'),
  ('ensure_partitions',                       'orchestrator operator'),
  ('ensure_task_queue',                       'orchestrator operator'),
  ('evacuate_partition',                      'operator'),
  ('evaluate_step_state_readiness',           'submitter worker orchestrator operator reader'),
  ('exchange_steps',                          'worker orchestrator operator'),
  ('explain_step',                            'submitter worker orchestrator operator reader'),
  ('extend_leases',                           'worker orchestrator operator'),
  ('extract_queue_namespace',                 'submitter worker orchestrator operator reader'),
  ('fail_steps',                              'worker orchestrator operator'),
  ('finalize_task_completion',                'orchestrator operator'),
  ('fire_due_timers',                         'worker orchestrator operator'),
  ('gc_identities',                           'orchestrator operator'),
  ('gc_queue_archives',                       'orchestrator operator'),
  ('get_audit_by_correlation_id',             'orchestrator operator reader'),
  ('get_audit_by_worker',                     'orchestrator operator reader'),
  ('get_current_step_state',                  'submitter worker orchestrator operator reader'),
  ('get_current_task_state',                  'submitter worker orchestrator operator reader'),
  ('get_parent_results',                      'worker orchestrator operator reader'),
  ('get_queue_statistics',                    'submitter worker orchestrator operator reader'),
  ('get_ready_steps',                         'submitter worker orchestrator operator reader'),
  ('get_setting',                             'submitter worker orchestrator operator reader'),
  ('get_step_audit_history',                  'orchestrator operator reader'),
  ('get_step_dag_relationships',              'submitter worker orchestrator operator reader'),
  ('get_step_readiness_status',               'submitter worker orchestrator operator reader'),
  ('get_step_readiness_status_batch',         'submitter worker orchestrator operator reader'),
  ('get_step_transitive_dependencies',        'submitter worker orchestrator operator reader'),
  ('get_task',                                'submitter worker orchestrator operator reader'),
  ('get_task_audit_history',                  'orchestrator operator reader'),
  ('get_task_history',                        'submitter worker orchestrator operator reader'),
  ('get_task_template',                       'submitter worker orchestrator operator reader'),
  ('give_up_task',                            'orchestrator operator'),
  ('heartbeat_worker',                        'worker orchestrator operator'),
  ('held_partitions',                         'orchestrator operator reader'),
  ('is_task_uuid',                            'submitter worker orchestrator operator reader'),
  ('list_namespaces',                         'submitter worker orchestrator operator reader'),
  ('list_partition_ranges',                   'orchestrator operator reader'),
  ('list_settings',                           'submitter worker orchestrator operator reader'),
  ('list_step_states',                        'submitter worker orchestrator operator reader'),
  ('list_step_transitions',                   'submitter worker orchestrator operator reader'),
  ('list_steps',                              'submitter worker orchestrator operator reader'),
  ('list_task_states',                        'submitter worker orchestrator operator reader'),
  ('list_task_templates',                     'submitter worker orchestrator operator reader'),
  ('list_task_transitions',                   'submitter worker orchestrator operator reader'),
  ('list_tasks',                              'orchestrator operator reader'),
  ('list_workers',                            'worker orchestrator operator reader'),
  ('next_due_at',                             'worker orchestrator operator reader'),
  ('orchestrate',                             'orchestrator operator'),
  ('partition_sizes',                         'orchestrator operator reader'),
  ('partition_status',                        'orchestrator operator reader'),
  ('pause_namespace',                         'orchestrator operator'),
  ('peek_queue',                              'orchestrator operator reader'),
  ('pgmq_archive_messages',                   'worker orchestrator operator'),
  ('pgmq_delete_messages',                    'worker orchestrator operator'),
  ('pgmq_ensure_headers_column',              'orchestrator operator'),
  ('pgmq_kind',                               'submitter worker orchestrator operator reader'),
  ('pgmq_read_specific_message',              'worker orchestrator operator'),
  ('pgmq_send_batch_with_notify',             'submitter worker orchestrator operator'),
  ('pgmq_send_with_notify',                   'submitter worker orchestrator operator'),
  ('process_step_results',                    'orchestrator operator'),
  ('process_task_requests',                   'orchestrator operator'),
  ('register_namespace',                      'orchestrator operator'),
  ('register_task_template',                  'orchestrator operator'),
  ('register_worker',                         'worker orchestrator operator'),
  ('release_steps',                           'worker orchestrator operator'),
  ('reset_task',                              'orchestrator operator'),
  ('resolve_step_manually',                   'orchestrator operator'),
  ('resolve_task_manually',                   'orchestrator operator'),
  ('resume_namespace',                        'orchestrator operator'),
  ('retire_task_template',                    'orchestrator operator'),
  ('retry_step',                              'orchestrator operator'),
  ('set_setting',                             'operator'),
  ('set_step_backoff_atomic',                 'worker orchestrator operator'),
  ('setup_cron',                              'operator'),
  ('setup_partitioning',                      'operator'),
  ('step_can_be_completed_from_orchestration','worker orchestrator operator reader'),
  ('step_can_be_enqueued_for_orchestration',  'worker orchestrator operator reader'),
  ('step_can_be_failed_from_orchestration',   'worker orchestrator operator reader'),
  ('step_can_be_retried',                     'worker orchestrator operator reader'),
  ('step_dependencies_met',                   'worker orchestrator operator reader'),
  ('step_has_attempts_left',                  'worker orchestrator operator reader'),
  ('step_no_of',                              'submitter worker orchestrator operator reader'),
  ('step_not_in_progress',                    'worker orchestrator operator reader'),
  ('step_state_is_active',                    'submitter worker orchestrator operator reader'),
  ('step_state_is_error',                     'submitter worker orchestrator operator reader'),
  ('step_state_is_in_processing_pipeline',    'submitter worker orchestrator operator reader'),
  ('step_state_is_ready_for_claiming',        'submitter worker orchestrator operator reader'),
  ('step_state_is_terminal',                  'submitter worker orchestrator operator reader'),
  ('step_state_satisfies_dependencies',       'submitter worker orchestrator operator reader'),
  ('step_uuid',                               'submitter worker orchestrator operator reader'),
  ('task_can_complete',                       'worker orchestrator operator reader'),
  ('task_state_can_be_processed',             'submitter worker orchestrator operator reader'),
  ('task_state_is_active',                    'submitter worker orchestrator operator reader'),
  ('task_state_is_terminal',                  'submitter worker orchestrator operator reader'),
  ('task_state_is_waiting',                   'submitter worker orchestrator operator reader'),
  ('task_state_requires_ownership',           'submitter worker orchestrator operator reader'),
  ('task_uuid_of',                            'submitter worker orchestrator operator reader'),
  ('transition_step_state_atomic',            'orchestrator operator'),
  ('transition_task_state_atomic',            'orchestrator operator'),
  ('transition_uuid',                         'orchestrator operator reader'),
  ('uuid_generate_v7',                        'submitter worker orchestrator operator reader'),
  ('validate_task_template',                  'submitter worker orchestrator operator reader'),

  -- Internal, called by other functions only.
  ('accept_task_uuids',                       ''),
  ('adopt_pg_partman',                        ''),
  ('adopt_pgmq',                              ''),
  ('advance_tasks',                           ''),
  ('advance_waiting_tasks',                   ''),
  ('announce_steps',                          ''),
  ('answer_results',                          ''),
  ('apply_results',                           ''),
  ('attach_leaves',                           ''),
  ('await_orchestrator',                      ''),
  ('blocking_reason',                         ''),
  ('bound_namespaces',                        ''),
  ('caller_name',                             ''),
  ('check_bound_namespaces',                  ''),
  ('check_bound_steps',                       ''),
  ('check_claim',                             ''),
  ('check_isolation',                         ''),
  ('check_limit',                             ''),
  ('check_namespace_exists',                  ''),
  ('check_partition_config',                  ''),
  ('check_pgmq_access',                       ''),
  ('check_queue_messages',                    ''),
  ('check_queue_name',                        ''),
  ('check_step_claims',                       ''),
  ('check_step_exists',                       ''),
  ('check_step_guards',                       ''),
  ('check_step_results',                      ''),
  ('check_task_exists',                       ''),
  ('check_task_guards',                       ''),
  ('check_task_requests',                     ''),
  ('check_task_template',                     ''),
  ('check_task_uuids_free',                   ''),
  ('check_transition_metadata',               ''),
  ('claim_identities',                        ''),
  ('claimable_namespaces',                    ''),
  ('clear_ended_tasks',                       ''),
  ('condition_error',                         ''),
  ('condition_holds',                         ''),
  ('configure_partitions',                    ''),
  ('copy_statement_triggers',                 ''),
  ('copy_stragglers',                         ''),
  ('count_step_transition',                   ''),
  ('count_steps',                             ''),
  ('create_leaves',                           ''),
  ('create_leaves_by_partman',                ''),
  ('create_partition_range',                  ''),
  ('create_requested_task',                   ''),
  ('defer_results',                           ''),
  ('describe_audits',                         ''),
  ('describe_claims',                         ''),
  ('discard_result_messages',                 ''),
  ('doctor_autovacuum',                       ''),
  ('doctor_durability',                       ''),
  ('doctor_extensions',                       ''),
  ('doctor_isolation',                        ''),
  ('doctor_locks',                            ''),
  ('doctor_partitions',                       ''),
  ('doctor_roles',                            ''),
  ('doctor_server',                           ''),
  ('doctor_settings',                         ''),
  ('doctor_snapshots',                        ''),
  ('drop_own_pgmq',                           ''),
  ('drop_partition_range',                    ''),
  ('drop_schema_quietly',                     ''),
  ('drop_unused_ranges',                      ''),
  ('enqueue_ready_steps',                     ''),
  ('estimated_rows',                          ''),
  ('evaluate_tasks',                          ''),
  ('event_sentence',                          ''),
  ('expire_tasks',                            ''),
  ('expired_range',                           ''),
  ('explain_blocking',                        ''),
  ('find_template',                           ''),
  ('finish_leaves',                           ''),
  ('finish_steps',                            ''),
  ('fire_retries',                            ''),
  ('gather_parent_results',                   ''),
  ('graph_cycle',                             ''),
  ('graph_distances',                         ''),
  ('graph_levels',                            ''),
  ('handler_groups',                          ''),
  ('insert_added_steps',                      ''),
  ('insert_handlers',                         ''),
  ('insert_task_steps',                       ''),
  ('insert_tasks',                            ''),
  ('insert_template_steps',                   ''),
  ('join_holds',                              ''),
  ('lane_quotas',                             ''),
  ('lock_open_task',                          ''),
  ('lock_range',                              ''),
  ('lock_relations',                          ''),
  ('lock_steps',                              ''),
  ('lock_stragglers',                         ''),
  ('lock_task',                               ''),
  ('lock_tasks',                              ''),
  ('log_task_start',                          ''),
  ('make_partitions',                         ''),
  ('mint_task_uuid',                          ''),
  ('mint_task_uuids',                         ''),
  ('move_pgmq_to_extension',                  ''),
  ('move_queue_to_extension',                 ''),
  ('move_task',                               ''),
  ('nearest_name',                            ''),
  ('next_attempt_at',                         ''),
  ('normalize_added_steps',                   ''),
  ('normalize_template',                      ''),
  ('note_worker',                             ''),
  ('notify_orchestrators',                    ''),
  ('notify_queue',                            ''),
  ('notify_steps_ready',                      ''),
  ('notify_task_events',                      ''),
  ('old_lock_holder',                         ''),
  ('operate_on_step',                         ''),
  ('operate_on_task',                         ''),
  ('parse_condition',                         ''),
  ('parse_step_state',                        ''),
  ('parse_task_state',                        ''),
  ('partition_backend',                       ''),
  ('partition_floor',                         ''),
  ('partition_hold',                          ''),
  ('partition_lock_budget',                   ''),
  ('partition_problems',                      ''),
  ('partition_relations',                     ''),
  ('partition_unit',                          ''),
  ('place_step',                              ''),
  ('process_moves',                           ''),
  ('queue_exists',                            ''),
  ('queue_groups',                            ''),
  ('queue_message_columns',                   ''),
  ('queue_statistics_of',                     ''),
  ('queue_table',                             ''),
  ('raise_step_not_found',                    ''),
  ('raise_task_not_found',                    ''),
  ('raise_template_not_found',                ''),
  ('record_results',                          ''),
  ('recover_lost_steps',                      ''),
  ('refused_results',                         ''),
  ('reject_task_request',                     ''),
  ('repeated_claim',                          ''),
  ('requeue_steps',                           ''),
  ('results_are_deferred',                    ''),
  ('schedule_new_tasks',                      ''),
  ('schedule_task',                           ''),
  ('server_started_at',                       ''),
  ('setting',                                 ''),
  ('setting_accepts',                         ''),
  ('setting_boolean',                         ''),
  ('setting_integer',                         ''),
  ('setting_numeric',                         ''),
  ('settle_children',                         ''),
  ('settle_pgmq',                             ''),
  ('settle_steps',                            ''),
  ('stage_pgmq',                              ''),
  ('start_steps',                             ''),
  ('step_ancestors',                          ''),
  ('step_event',                              ''),
  ('step_is_active',                          ''),
  ('step_is_open',                            ''),
  ('step_lane',                               ''),
  ('step_queue_name',                         ''),
  ('step_readiness',                          ''),
  ('sweep_steps',                             ''),
  ('take_partition_turn',                     ''),
  ('take_queue_rows',                         ''),
  ('take_steps',                              ''),
  ('task_blocking_reason',                    ''),
  ('task_event',                              ''),
  ('task_identity',                           ''),
  ('task_levels',                             ''),
  ('task_outcome',                            ''),
  ('task_prototype',                          ''),
  ('template_cycle_problems',                 ''),
  ('template_differences',                    ''),
  ('template_reference_problems',             ''),
  ('template_roots',                          ''),
  ('template_shape_problems',                 ''),
  ('template_value_problem',                  ''),
  ('uuid_v7_floor',                           ''),
  ('uuid_v7_time',                            ''),
  ('write_step_transition',                   ''),
  ('write_task_transition',                   '');

create role tasker_stranger;

create temporary table calls as
  select p.proname::text as function,
         r.role,
         r.role = any (string_to_array(m.roles, ' ')) as may,
         -- The nulls are read: a strict function of constant ones would not be called at all.
         format('select * from tasker.%I(%s)', p.proname, (
           select string_agg(format('(select null::%s from generate_series(1, 1))', u.type::regtype), ', ' order by u.position)
             from unnest(p.proargtypes) with ordinality as u (type, position)
         )) as statement,
         null::text as code,
         null::text as message
    from pg_proc as p
   cross join unnest(array['submitter', 'worker', 'orchestrator', 'operator', 'reader', 'stranger']) as r (role)
    left join matrix as m on m.function = p.proname
   where p.pronamespace = 'tasker'::regnamespace
     and p.prorettype <> 'trigger'::regtype;

select tasker_test.take_turn();
select tasker_test.remember_rows();

do $$
declare
  v_call record;
begin
  for v_call in select c.* from calls as c loop
    begin
      perform set_config('role', 'tasker_' || v_call.role, true);
      execute v_call.statement;
      raise exception using errcode = '00001', message = 'answered';
    exception when others then
      -- The role is back as well; what the call did is undone.
      update calls as c
         set code = sqlstate,
             message = sqlerrm
       where c.function = v_call.function
         and c.role = v_call.role;
    end;
  end loop;
end;
$$;

select set_eq(
  'select distinct function from calls',
  'select function from matrix',
  'the matrix holds every function and no other'
);

prepare surprises (text) as
  select c.function, c.may, c.code, c.message
    from calls as c
   where c.role = $1
     and c.may <> (c.code <> '42501');

select is_empty($$ execute surprises ('submitter') $$, 'tasker_submitter may call its functions and no other');
select is_empty($$ execute surprises ('worker') $$, 'tasker_worker may call its functions and no other');
select is_empty($$ execute surprises ('orchestrator') $$, 'tasker_orchestrator may call its functions and no other');
select is_empty($$ execute surprises ('operator') $$, 'tasker_operator may call its functions and no other');
select is_empty($$ execute surprises ('reader') $$, 'tasker_reader may call its functions and no other');
select is_empty($$ execute surprises ('stranger') $$, 'a role that was granted nothing may call nothing');
select is(
  (select count(*) from calls as c where c.role = 'stranger' and c.code = '42501'),
  (select count(*) from matrix),
  'and was refused each time'
);

select is_empty(
  $$ select c.function, c.role, c.code, c.message from calls as c where c.may and c.code not like 'TK%' and c.code <> '00001' $$,
  'whoever may call a function with nulls gets an answer or an error of class TK'
);
select isnt_empty(
  $$ select from calls as c where c.code = '00001' $$,
  'some were answered'
);
select is_empty('select tasker_test.changed_tables()', 'nothing of it survives');

select * from finish();
rollback;
