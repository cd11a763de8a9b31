begin;
select plan(4);

select tasker_test.make_task_with_steps_in_every_state();

create temporary table seen as
  select v.task_uuid, v.step_no, v.sort_key, v.workflow_step_transition_uuid as uuid
    from tasker.workflow_step_transitions as v
   where v.task_uuid = tasker_test.the_task();

select is(
  (select count(distinct u.uuid) from (
     select uuid from seen
     union all
     select v.task_transition_uuid from tasker.task_transitions as v where v.task_uuid = tasker_test.the_task()
   ) as u (uuid)),
  (select count(*) from seen) + 3,
  'no two rows of the task and its steps have the same UUID'
);
select is_empty(
  $$ select uuid from seen where (uuid::text ~ '^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$') is not true $$,
  'every UUID has version 8'
);

select tasker_test.move_task(tasker_test.the_task(), 'cancelled');
select is_empty(
  $$
  select *
    from seen
  except select task_uuid, step_no, sort_key, workflow_step_transition_uuid
      from tasker.workflow_step_transitions
  $$,
  'further transitions change no UUID'
);
select is_empty(
  $$ select uuid from seen where uuid is distinct from tasker.transition_uuid(task_uuid, step_no, sort_key) $$,
  'the UUID is derived from the step and the number of the transition'
);

select * from finish();
rollback;
