begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
-- What compresses well takes its full size in a snapshot.
select tasker_test.complete('top', jsonb_build_object('x', repeat('x', 100000)));
select from tasker_test.claim();
select tasker.checkpoint_step(tasker_test.the_step('left'), tasker_test.claim_no('left'), to_jsonb(repeat('c', 100000)));
select tasker.checkpoint_step(tasker_test.the_step('right'), tasker_test.claim_no('right'), '"small"');
select tasker_test.move_step(tasker_test.the_step('left'), 'enqueued_as_error_for_orchestration');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('left'), 'enqueued_as_error_for_orchestration', 'error', null, jsonb_build_object('note', repeat('n', 100000))
);
select tasker.create_dlq_entry(tasker_test.the_task());

select is((select (d.task_snapshot #> '{steps,0,results}') - 'omitted_bytes' from tasker.tasks_dlq as d), '{}'::jsonb, 'a large result');
select is((select (d.task_snapshot #> '{steps,1,checkpoint}') - 'omitted_bytes' from tasker.tasks_dlq as d), '{}'::jsonb, 'a large checkpoint');
select is((select d.task_snapshot #> '{steps,2,checkpoint}' from tasker.tasks_dlq as d), '"small"'::jsonb, 'a small one stays');
select ok((select (d.task_snapshot #> '{steps,2}') ? 'next_retry_at' from tasker.tasks_dlq as d), 'with all columns of its row');
select results_eq(
  $$ select (l.value -> 'metadata') - 'omitted_bytes', (l.value #>> '{metadata,omitted_bytes}')::integer > 100000
       from tasker.tasks_dlq as d cross join lateral jsonb_array_elements(d.task_snapshot -> 'step_history') as l (value)
      where l.value ->> 'to_state' = 'error' $$,
  $$ values ('{}'::jsonb, true) $$, 'large metadata of the history'
);

select * from finish();
rollback;
