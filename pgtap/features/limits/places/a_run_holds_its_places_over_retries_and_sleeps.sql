begin;
select plan(12);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker.register_task_template('{"namespace": "test", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "pay", "limit": "account", "limit_key": "$.key", "limit_hold": "run", "retry": {"base_seconds": 10}}]}');
select tasker.set_limit('test', 'account', 1);
select tasker_test.make_limited(2, 'a');
select c.step_uuid as first, c.claim_no as claim from tasker_test.claim() as c \gset
select is((select count(*) from tasker_test.claim()), 0::bigint, 'one run of the key goes on');
select is((select answer::text from tasker.fail_steps(array[:'first'::uuid], array[:claim], '{once}')), 'retrying', 'its attempt fails');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'it holds its place while it waits for the next attempt');
select results_eq(
  $$ select k.limit_key, k.in_use, k.waiting from tasker.list_limit_keys('test', 'account') as k $$, $$ values ('a', 1::bigint, 1::bigint) $$,
  'the list shows the place as in use'
);
select tasker_test.make_limited(1, 'b');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'other keys go on');
select tasker_test.pass('20 seconds');
select c.step_uuid as again, c.claim_no as claim from tasker_test.claim() as c limit 1 \gset
select is(:'again'::uuid, :'first'::uuid, 'the next attempt is that of the same run, and needs no free place');
select is((select k.in_use from tasker.list_limit_keys('test', 'account') as k where k.limit_key = 'a'), 1::bigint, 'it counts once');
select tasker.release_steps(array[:'first'::uuid], array[:claim]);
select c.step_uuid as again, c.claim_no as claim from tasker_test.claim() as c limit 1 \gset
select is(:'again'::uuid, :'first'::uuid, 'a run that a worker handed back goes on first');
select tasker.complete_steps(array[:'first'::uuid], array[:claim]);
select isnt((select c.step_uuid from tasker_test.claim() as c), :'first'::uuid, 'the next run starts when this one has ended');
select tasker.cancel_task(t.task_uuid) from tasker.tasks as t where t.state not in ('complete', 'cancelled');
select is((select sum(l.in_use)::bigint from tasker.list_limits('test') as l), 0::bigint, 'cancelled runs hold nothing');
select is_empty('select from tasker.limit_places', 'no row is left of steps that have ended');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
