begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 1);
select tasker_test.make_limited(3, 'a');
select tasker_test.make_limited(2, 'b');
select is((select count(*) from tasker_test.claim()), 2::bigint, 'one step of each key starts');
select results_eq(
  'select * from tasker_test.in_use as u order by u.key', $$ values ('tenant', 'a', 1::bigint, 2::bigint), ('tenant', 'b', 1, 1) $$, 'the other steps wait'
);
select is_empty('select tasker_test.claim()', 'no step starts while these run');
select is(tasker_test.complete_limited(p_key => 'a'), 1::bigint, 'one step completes');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'another step takes its place');
select is((select u.running from tasker_test.in_use as u where u.key = 'a'), 1::bigint, 'that step has the same key');
select is(
  (
    select count(*)
      from tasker.step_queue as q
     cross join lateral tasker.exchange_steps(
       tasker_test.worker(), array[tasker.step_uuid(q.task_uuid, q.step_no)], array[q.claim_no], array['{}'::jsonb],
       p_namespaces => '{test}', p_limit => 10
     ) as x
     where q.lane = 'running'
       and q.limit_key = 'b'
       and x.answer::text is null
  ),
  1::bigint, 'an exchange takes the place that its result gave back'
);
select is_empty(
  $$ select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v $$, 'every invariant holds'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
