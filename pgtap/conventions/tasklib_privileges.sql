-- Every role calls every function of schema tasklib with null arguments. A function that is not in the matrix fails this
-- test. The calls run in subtransactions and leave no changes.
begin;
select plan(10);

create temporary table matrix (
  function  text  primary key,
  roles     text  not null
);

insert into matrix (function, roles) values
  -- Public functions and the roles that may call them.
  ('cancel_task',                  'submitter operator'),
  ('claim_tasks',                  'worker'),
  ('clock',                        'submitter worker operator reader'),
  ('complete_tasks',               'worker'),
  ('extend_locks',                 'worker'),
  ('fail_tasks',                   'worker'),
  ('find_tasks_by_short_id',       'submitter operator reader'),
  ('fire_schedules',               'worker operator'),
  ('get_registered_tasks',         'submitter worker operator reader'),
  ('get_setting',                  'submitter worker operator reader'),
  ('get_task',                     'submitter operator reader'),
  ('list_claims',                  'worker'),
  ('list_schedule_ticks',          'submitter worker operator reader'),
  ('list_schedules',               'submitter worker operator reader'),
  ('list_settings',                'submitter worker operator reader'),
  ('list_task_actions',            'operator reader'),
  ('list_task_runs',               'operator reader'),
  ('list_tasks',                   'submitter operator reader'),
  ('mark_awake',                   'worker'),
  ('mark_sleeping',                'worker'),
  ('next_claim_in',                'worker'),
  ('next_tick',                    'submitter worker operator reader'),
  ('open_writers',                 'worker'),
  ('pause_task',                   'operator'),
  ('purge',                        'operator'),
  ('purge_expired',                'worker operator'),
  ('recover_dead',                 'worker operator'),
  ('register_task',                'worker operator'),
  ('release_tasks',                'worker'),
  ('restrict_task',                'operator'),
  ('resume_task',                  'operator'),
  ('retry_delay',                  'submitter worker operator reader'),
  ('retry_task',                   'operator'),
  ('erase_task',                   'operator'),
  ('schedule_task',                'submitter operator'),
  ('set_setting',                  'operator'),
  ('stats',                        'operator reader'),
  ('submit_task',                  'submitter operator'),
  ('submit_tasks',                 'submitter operator'),
  ('unschedule_task',              'submitter operator'),

  -- Private functions, which only other functions call.
  ('check_options',                  ''),
  ('apply_options',                ''),
  ('caller_name',                  ''),
  ('charge_limits',                ''),
  ('write_clock',                  ''),
  ('begin_keys',                   ''),
  ('take_turns',                   ''),
  ('locks_heard_since',            ''),
  ('lock_turns',                   ''),
  ('key_opens_in',                 ''),
  ('key_places',                   ''),
  ('charge_keys',                  ''),
  ('check_may_run',                ''),
  ('check_reports',                ''),
  ('check_results',                ''),
  ('check_submissions',            ''),
  ('count_failures',               ''),
  ('delete_tasks',                 ''),
  ('expire_locks',                 ''),
  ('expiry',                       ''),
  ('log_action',                   ''),
  ('name_quotas',                  ''),
  ('notify_ready',                 ''),
  ('note_tick',                    ''),
  ('take_ticks',                   ''),
  ('option_number',                ''),
  ('parse_state',                  ''),
  ('promote_due',                  ''),
  ('raise_name_not_found',         ''),
  ('raise_task_not_found',         ''),
  ('report_outcomes',              ''),
  ('setting',                      ''),
  ('id_time',                      ''),
  ('submission_problem',           ''),
  ('submit_deduplicated',          ''),
  ('submit_tick',                  ''),
  ('task_id',                      '');

create role tasklib_stranger;

select tasker_test.hold_the_matrix('tasklib', '{submitter,worker,operator,reader}');

select * from finish();
rollback;
