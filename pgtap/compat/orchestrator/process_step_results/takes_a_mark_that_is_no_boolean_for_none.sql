begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_waiting('marks', (
  select jsonb_agg(jsonb_build_object('name', n)) from unnest('{a,b,c,d}'::text[]) as n
));
select from tasker_test.claim();
select tasker.transition_step_state_atomic(
  tasker_test.the_step(m.name), 'in_progress', 'enqueued_as_error_for_orchestration', null,
  jsonb_build_object('error', 'no', 'permanent', m.mark)
) from (values ('a', '"maybe"'::jsonb), ('b', '{"a": 1}'), ('c', 'true'), ('d', '2')) as m (name, mark);
select is(tasker.process_step_results(), 4, 'every failure is processed');
select is(
  tasker_test.the_steps(), 'a waiting_for_retry, b waiting_for_retry, c error, d waiting_for_retry', 'only true is permanent'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
