begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 1);
select tasker_test.make_limited(3, 'a');
select tasker_test.make_limited(2, 'b');
select is((select count(*) from tasker_test.claim()), 2::bigint, 'one of each key');
select results_eq(
  'select * from tasker_test.in_use as u order by u.key', $$ values ('tenant', 'a', 1::bigint, 2::bigint), ('tenant', 'b', 1, 1) $$, 'the others wait'
);
select is_empty('select tasker_test.claim()', 'no more while they run');
select is(tasker_test.complete_limited(p_key => 'a'), 1::bigint, 'one completes');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'its place is taken again');
select is((select u.running from tasker_test.in_use as u where u.key = 'a'), 1::bigint, 'in its key');
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
       and x.answer is null
  ),
  1::bigint, 'an exchange takes the place that its result frees'
);
select is_empty(
  $$ select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v $$, 'the rows agree'
);
select is_empty('select * from tasker.check_integrity()', 'also by the audit');

select * from finish();
rollback;
