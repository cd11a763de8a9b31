begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker_test.make_limited(100, 'busy');
select tasker_test.claim(1);
select tasker_test.pass('1 second');
select tasker_test.make_limited(1, 'small');
select tasker_test.pass('1 second');
select tasker_test.claim(1);
select tasker_test.pass('1 second');
select tasker_test.claim(1);
select is((select u.running from tasker_test.in_use as u where u.key = 'small'), 1::bigint, 'claims of one step serve a new key after the key that waits longer');

-- A key whose place is given back has its turn from then on.
select tasker.set_limit('test', 'tenant', 1);
select tasker_test.make_limited(5, 'small');
select tasker.complete_steps(array[tasker.step_uuid(q.task_uuid, q.step_no)], array[q.claim_no])
  from tasker.step_queue as q
 where q.lane = 'running';
do $$
begin
  for i in 1 .. 6 loop
    perform tasker_test.pass('1 second');
    perform tasker_test.claim(1);
    perform tasker_test.pass('1 second');
    perform tasker.complete_steps(array_agg(tasker.step_uuid(q.task_uuid, q.step_no)), array_agg(q.claim_no))
       from tasker.step_queue as q
      where q.lane = 'running';
  end loop;
end;
$$;
select is((select u.waiting from tasker_test.in_use as u where u.key = 'small'), 2::bigint, 'both keys had three turns of six');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
