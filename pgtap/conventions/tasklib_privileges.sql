-- Every function of schema tasklib, called as every role with nulls for arguments. A function that is
-- not in the matrix fails this test. The calls run in subtransactions: nothing of them survives.
begin;
select plan(10);

create temporary table matrix (
  function  text  primary key,
  roles     text  not null
);

insert into matrix (function, roles) values
  -- Public.
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
  ('schedule_task',                'submitter operator'),
  ('set_setting',                  'operator'),
  ('stats',                        'operator reader'),
  ('submit_task',                  'submitter operator'),
  ('submit_tasks',                 'submitter operator'),
  ('unschedule_task',              'submitter operator'),

  -- For other functions only.
  ('apply_options',                ''),
  ('caller_name',                  ''),
  ('charge_limits',                ''),
  ('begin_keys',                   ''),
  ('take_turns',                   ''),
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
  ('setting_accepts',              ''),
  ('submit_deduplicated',          ''),
  ('submit_tick',                  '');

create role tasklib_stranger;

create temporary table calls as
  select p.proname::text as function,
         r.role,
         r.role = any (string_to_array(m.roles, ' ')) as may,
         -- The nulls are read: a strict function of constant ones would not be called at all.
         format('select * from tasklib.%I(%s)', p.proname, (
           select string_agg(format('(select null::%s from generate_series(1, 1))', u.type::regtype), ', ' order by u.position)
             from unnest(p.proargtypes) with ordinality as u (type, position)
         )) as statement,
         null::text as code,
         null::text as message
    from pg_proc as p
   cross join unnest(array['submitter', 'worker', 'operator', 'reader', 'stranger']) as r (role)
    left join matrix as m on m.function = p.proname
   where p.pronamespace = 'tasklib'::regnamespace
     and p.prorettype <> 'trigger'::regtype;

select tasker_test.take_turn();
select tasker_test.remember_rows();

do $$
declare
  v_call record;
begin
  for v_call in select c.* from calls as c loop
    begin
      perform set_config('role', 'tasklib_' || v_call.role, true);
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

select is_empty($$ execute surprises ('submitter') $$, 'tasklib_submitter may call its functions and no other');
select is_empty($$ execute surprises ('worker') $$, 'tasklib_worker may call its functions and no other');
select is_empty($$ execute surprises ('operator') $$, 'tasklib_operator may call its functions and no other');
select is_empty($$ execute surprises ('reader') $$, 'tasklib_reader may call its functions and no other');
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
