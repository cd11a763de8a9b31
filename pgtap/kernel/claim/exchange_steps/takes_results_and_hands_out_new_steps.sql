begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c', 'd a');
select tasker_test.launch('wide');
select results_eq(
  $$ select e.name, e.claim_no, e.answer::text from tasker.exchange_steps(tasker_test.worker(), p_namespaces => '{test}', p_limit => 2) as e $$,
  $$ values ('a', 1, null), ('b', 1, null) $$, 'the first exchange has no results'
);
select results_eq(
  $$ select e.step_uuid, e.claim_no, e.answer::text, e.next_retry_at is not null, e.name, e.attempt, e.parent_results
       from tasker.exchange_steps(
         tasker_test.worker(), array[tasker_test.the_step('b'), tasker_test.the_step('a')], '{1,1}', array[null, '{"n": 1}']::jsonb[],
         '{no,null}', p_namespaces => '{test}', p_limit => 5
       ) as e $$,
  $$ values
    (tasker_test.the_step('b'), 1, 'retrying', true, null, null::integer, null::jsonb),
    (tasker_test.the_step('a'), 1, 'completed', false, null, null, null),
    (tasker_test.the_step('c'), 1, null, false, 'c', 1, '{}'),
    (tasker_test.the_step('d'), 1, null, false, 'd', 1, '{"a": {"n": 1}}') $$,
  'answers come first, in order, then the claimed steps with their new parents'' results'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
