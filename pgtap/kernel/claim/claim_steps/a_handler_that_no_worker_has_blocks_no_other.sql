begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited('both', null, 'first');
select tasker_test.limited('both', null, 'second');
select tasker.set_limit('test', 'both', 2);
select tasker_test.make_limited(500, p_name => 'first');
select tasker_test.make_limited(3, p_name => 'second');
select is(
  (select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 1, p_handlers => '{second}')), 1::bigint,
  'a claim for one handler gets its step although 500 steps of another came before'
);
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(2), 5, p_handlers => '{first}')), 1::bigint, 'the other worker gets the other place');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 5, p_handlers => '{second}')), 0::bigint, 'a claim gets no step when no place is left');

-- The worker of the first is lost, and none comes back for that handler.
select tasker_test.pass('30 seconds');
select tasker.extend_leases(array[tasker.step_uuid(q.task_uuid, q.step_no)], array[q.claim_no], 600)
  from tasker.step_queue as q
  join tasker.named_steps as h on h.named_step_uuid = q.named_step_uuid
 where q.lane = 'running' and h.name = 'second';
select tasker_test.pass('40 seconds');
select is(
  (select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 5, p_handlers => '{second}')), 1::bigint,
  'a claim takes the place of a lost step'
);

select * from finish();
rollback;
