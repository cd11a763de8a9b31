-- The function writes this path by its number; the tables say what it is.
begin;
select plan(2);

select results_eq(
  $$ select p.position::integer, p.path::integer, p.event::text, p.to_state::text,
       tasker.task_move_metadata(2, 'steps_in_process', p.metadata_event, '{1}', '{}', 0, null),
       tasker.task_move_metadata(2, 'steps_in_process', p.outcome_event, '{1}', '{}', 0, null)
       from tasker.task_paths as p where p.outcome = 'complete' and p.start_state = 'steps_in_process' and p.last $$,
  $$ values (2, 20, 'AllStepsSuccessful', 'complete', null::jsonb, null::jsonb) $$,
  'a task whose steps were in process completes by path 20, in two transitions without metadata'
);

select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.run('left');
select tasker_test.run('right');
select tasker_test.run('bottom');
select results_eq(
  $$ select l.path::integer, l.sort_key = t.transition_count, t.complete from tasker.task_log as l join tasker.tasks as t using (task_uuid)
      where l.task_uuid = tasker_test.the_task() order by l.sort_key desc limit 1 $$,
  $$ values (20, true, true) $$,
  'and its log ends with it'
);

select * from finish();
rollback;
