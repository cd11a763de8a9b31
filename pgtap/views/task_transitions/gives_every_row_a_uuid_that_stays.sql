begin;
select plan(4);

select tasker_test.make_task_in('complete');
select tasker_test.make_task_in('waiting_for_retry');

create temporary table seen as
  select v.task_uuid, v.sort_key, v.task_transition_uuid as uuid
    from tasker.task_transitions as v;

select is(
  (select count(distinct uuid) from seen), (select count(*) from seen),
  'no two rows have the same UUID'
);
select is_empty(
  $$ select uuid from seen where (uuid::text ~ '^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$') is not true $$,
  'every UUID has version 8'
);

select tasker_test.move_task(tasker_test.the_task(), 'cancelled');
select is_empty(
  $$
  select task_uuid, sort_key, uuid
    from seen
  except select task_uuid, sort_key, task_transition_uuid
      from tasker.task_transitions
  $$,
  'another transition changes no UUID'
);
select is(
  (
    select v.task_transition_uuid
      from tasker.task_transitions as v
     where v.task_uuid = tasker_test.the_task()
       and v.most_recent
  ),
  tasker.transition_uuid(tasker_test.the_task(), 0, 5),
  'the UUID is derived from the task and the number of the transition'
);

select * from finish();
rollback;
