begin;
select plan(16);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker.register_task_template('{"namespace": "test", "name": "both", "identity_strategy": "always_unique", "steps": [{"name": "both", "limit": "db", "limits": ["api", {"limit": "tenant", "limit_key": "$.key", "limit_units": 2}]}]}');
create function pg_temp.complete(p_handler text, p_count integer) returns void language sql as $$
  select from (
    select array_agg(s.step) as steps, array_agg(s.claim_no) as claims from (
      select tasker.step_uuid(q.task_uuid, q.step_no) as step, q.claim_no
        from tasker.step_queue as q join tasker.named_steps as h on h.named_step_uuid = q.named_step_uuid
       where q.lane = 'running' and h.name = p_handler limit p_count
    ) as s
  ) as s cross join lateral tasker.complete_steps(s.steps, s.claims)
$$;
select tasker_test.limited('db', null, 'one');
select tasker_test.limited('api', null, 'two');
select tasker.set_limit('test', 'db', 3);
select tasker.set_limit('test', 'api', 2);
select tasker.set_limit('test', 'tenant', 5);
select tasker_test.make_limited(2, null, 'two');
select is((select count(*) from tasker_test.claim()), 2::bigint, 'two steps fill the further limit');
select tasker_test.make_limited(3, 'a', 'both');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'a step with free places in one of its limits does not start');
select is((select sum(i.running) is null from tasker_test.in_use as i where i.name = 'db'), true, 'and takes none of them');
select alike(
  (select tasker.explain_limit(q.task_uuid, q.step_no) from tasker.step_queue as q where q.lane = 'limited' limit 1),
  'It waits for limit "api": 2 of 2 in use, % before it.', 'the explanation names the limit that is full'
);
select tasker_test.make_limited(3, null, 'one');
select results_eq('select s.name from tasker_test.claim() as c join tasker.workflow_steps as s on s.workflow_step_uuid = c.step_uuid', $$ values ('one'), ('one'), ('one') $$, 'steps that need only the other limit are not held up');
select pg_temp.complete('one', 1);
select is((select count(*) from tasker_test.claim()), 0::bigint, 'one of them gave a place back that is of no use alone');
select pg_temp.complete('two', 2);
select is(
  (select array_agg(l.name || ' ' || l.in_use order by l.name) from tasker.list_limits('test') as l), '{"api 0","db 2","tenant 0"}', 'the places of the other limits are free'
);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'one step starts: the second limit has places for two, the first for one');
select is(
  (select array_agg(l.name || ' ' || l.in_use order by l.name) from tasker.list_limits('test') as l), '{"api 1","db 3","tenant 2"}', 'it holds a place of each, and two of one'
);
select tasker_test.complete_limited();
select is((select count(*) from tasker_test.claim()), 2::bigint, 'the others start when all is free');
select is(
  (select array_agg(l.name || ' ' || l.in_use order by l.name) from tasker.list_limits('test') as l), '{"api 2","db 2","tenant 4"}', 'and hold what they need'
);
select tasker.release_steps(array_agg(tasker.step_uuid(q.task_uuid, q.step_no)), array_agg(q.claim_no)) from tasker.step_queue as q where q.lane = 'running';
select is(
  (select sum(l.in_use) from tasker.list_limits('test') as l), 0::numeric, 'steps that are handed back hold nothing'
);
select is((select count(*) from tasker_test.claim()), 2::bigint, 'they start again');
select tasker.cancel_task(q.task_uuid) from tasker.step_queue as q;
select is((select sum(l.in_use) from tasker.list_limits('test') as l), 0::numeric, 'cancelled tasks hold nothing');
select is_empty('select from tasker.limit_places', 'no row is left of steps that have ended');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
