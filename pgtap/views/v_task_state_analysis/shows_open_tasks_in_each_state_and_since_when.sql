begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.register_diamond();
create temporary table made as
  select u.state::text as state, tasker_test.make_task_in(u.state::text) as task_uuid
    from unnest(enum_range(null::tasker.task_state)) as u (state);
select tasker_test.pass('90 seconds');

select columns_are(
  'tasker', 'v_task_state_analysis'::name,
  '{task_uuid,named_task_uuid,namespace_name,task_name,task_version,priority,current_state,template_configuration,requested_at,in_state_since,time_in_state_minutes,task_age_minutes,total_steps,open_steps,active_steps,retrying_steps,suspended_steps,failed_steps}'::name[]
);
select set_eq(
  'select v.task_uuid, v.current_state::text from tasker.v_task_state_analysis as v',
  $$ select m.task_uuid, m.state from made as m where m.state not in ('complete', 'error', 'cancelled', 'resolved_manually') $$,
  'it shows the open tasks, each in its state'
);
select set_eq(
  $$ select v.namespace_name, v.task_name, v.task_version, v.template_configuration, v.priority, v.total_steps from tasker.v_task_state_analysis as v $$,
  $$
  select n.name as namespace, k.name, k.version, k.configuration, 0 as priority, 4 as steps
    from tasker.named_tasks as k
    join tasker.task_namespaces as n using (task_namespace_uuid)
   where k.named_task_uuid in (select t.named_task_uuid from tasker.tasks as t)
  $$,
  'with the template'
);
select set_eq(
  $$ select v.current_state::text, v.open_steps, v.active_steps, v.retrying_steps, v.failed_steps from tasker.v_task_state_analysis as v where v.current_state in ('pending', 'steps_in_process', 'waiting_for_retry', 'blocked_by_failures') $$,
  $$ values ('pending', 4, 0, 0, 0), ('steps_in_process', 4, 1, 0, 0), ('waiting_for_retry', 4, 0, 1, 0), ('blocked_by_failures', 3, 0, 0, 1) $$,
  'and the counts of its steps'
);
select set_eq(
  'select v.time_in_state_minutes, v.task_age_minutes from tasker.v_task_state_analysis as v', 'values (1.50, 1.50)', 'times are minutes'
);

-- A transition begins the time in the state anew, and not the age.
select tasker_test.move_task((select m.task_uuid from made as m where m.state = 'pending'), 'initializing');
select tasker_test.pass('30 seconds');
select results_eq(
  $$
  select v.current_state::text, v.in_state_since, v.time_in_state_minutes, v.task_age_minutes
    from tasker.v_task_state_analysis as v
    join made as m using (task_uuid)
   where m.state = 'pending'
  $$,
  $$ values ('initializing', timestamptz '2026-11-22 12:01:30+00', 0.50, 2.00) $$, 'a transition begins the time in the state anew'
);

set local tasker.namespaces = '-';
select is_empty('select from tasker.v_task_state_analysis', 'a bound caller sees no task of another namespace');

select * from finish();
rollback;
