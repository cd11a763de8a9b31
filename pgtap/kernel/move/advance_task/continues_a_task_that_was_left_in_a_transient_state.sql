begin;
select plan(5);

select tasker_test.freeze();
create temporary table cases as
  select u.state, tasker_test.make_task_in(u.state) as task
    from unnest('{initializing, enqueuing_steps, evaluating_results}'::text[]) as u (state);

select is(tasker.advance_task(c.task)::text, 'steps_in_process', format('a task that was %s continues', c.state)) from cases as c order by c.state;
select is(
  (
    select count(*)
      from cases as c
      join tasker.task_transition_log as l on l.task_uuid = c.task
     where l.from_state::text = c.state
       and l.metadata ->> 'event' = 'ProcessorCrashed'
  ),
  3::bigint, 'the log says that the processor of the task has crashed'
);
select is_empty('select v from cases as c cross join tasker_test.violations(c.task) as v', 'every invariant holds');

select * from finish();
rollback;
