-- Each step is named after its state. The test makes the child of one step depend on the others, too.
begin;
select plan(14);

select tasker_test.make_task_with_steps_in_every_state();

create function pg_temp.parents(p_child text)
  returns text
  language sql
as $$
  select format('%s of %s pending, %s satisfied', s.pending_parents, s.total_parents, s.satisfied_parents)
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name = p_child;
$$;

select is(pg_temp.parents('after_pending'), '1 of 1 pending, 0 satisfied', 'a child waits for its pending parent');

select ok(
  tasker.add_step_edge(tasker_test.the_step('complete'), tasker_test.the_step('after_pending')),
  'a complete parent can be added'
);
select is(pg_temp.parents('after_pending'), '1 of 2 pending, 1 satisfied', 'a complete parent is settled and satisfied');

select ok(
  tasker.add_step_edge(tasker_test.the_step('resolved_manually'), tasker_test.the_step('after_pending')),
  'a resolved parent can be added'
);
select is(pg_temp.parents('after_pending'), '1 of 3 pending, 2 satisfied', 'a resolved parent is settled and satisfied');

select ok(
  tasker.add_step_edge(tasker_test.the_step('cancelled'), tasker_test.the_step('after_pending')),
  'a cancelled parent can be added'
);
select is(pg_temp.parents('after_pending'), '1 of 4 pending, 2 satisfied', 'a cancelled parent is settled, but not satisfied');

select ok(tasker.add_step_edge(tasker_test.the_step('error'), tasker_test.the_step('after_pending')), 'a failed parent can be added');
select is(pg_temp.parents('after_pending'), '2 of 5 pending, 2 satisfied', 'a failed parent is not settled');

select ok(
  bool_and(tasker.add_step_edge(tasker_test.the_step(p.name), tasker_test.the_step('after_pending'))),
  'parents that have not ended can be added'
)
  from (values
    ('enqueued'), ('in_progress'), ('enqueued_for_orchestration'), ('enqueued_as_error_for_orchestration'),
    ('waiting_for_retry')
  ) as p (name);
select is(pg_temp.parents('after_pending'), '7 of 10 pending, 2 satisfied', 'parents that have not ended are pending');

select ok(
  tasker.add_step_edge(tasker_test.the_step('complete'), tasker_test.the_step('after_complete')) is false,
  'an existing edge returns false'
);
select is(pg_temp.parents('after_complete'), '0 of 1 pending, 1 satisfied', 'its parent is not counted twice');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
