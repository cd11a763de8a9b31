begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a', 'c b');
select tasker_test.launch('chain');
select from tasker_test.claim();
prepare exchange as
  select e.step_uuid, e.claim_no, e.answer::text, e.name
    from tasker.exchange_steps(
      tasker_test.worker(), array[tasker_test.the_step('a')], '{1}', p_namespaces => '{test}', p_limit => 3,
      p_request_uuid => '00000000-0000-4000-8000-0000000000f1'
    ) as e;
select results_eq(
  'execute exchange', $$ values (tasker_test.the_step('a'), 1, 'completed', null), (tasker_test.the_step('b'), 1, null, 'b') $$, 'the first exchange answers the result and hands out a step'
);
select results_eq(
  'execute exchange', $$ values (tasker_test.the_step('a'), 1, 'already_complete', null), (tasker_test.the_step('b'), 1, null, 'b') $$, 'a repeat answers the result again and hands out the same step'
);
select is(tasker_test.the_steps(), 'a complete, b in_progress, c pending', 'every step has run once');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
