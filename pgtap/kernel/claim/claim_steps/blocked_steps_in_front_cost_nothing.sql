begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker_test.limited('other', null, 'ship');
select tasker.register_task_template('{"namespace": "test", "name": "free", "identity_strategy": "always_unique", "steps": [{"name": "free"}]}');
select tasker.set_limit('test', 'tenant', 1);
select tasker.set_limit('test', 'other', 1000);
select tasker_test.make_limited(2, 'blocked');
select tasker_test.make_limited(200, 'open' || i) from generate_series(1, 3) as i;
select tasker_test.make_limited(100, p_name => 'ship');
select tasker_test.make_limited(100, p_name => 'free');
-- The rows of one state, and what a claim reads with them: first of all handlers, then of those that wait for nothing.
select from tasker.claim_steps('{test}', tasker_test.worker(), 8, p_handlers => '{pay}');
select tasker_test.claim(1);
create temporary table few as
  select (
           select max(tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1) $$)) from generate_series(1, 8)
         ) as any,
         tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, p_handlers => '{ship}') $$) as ship,
         tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, p_handlers => '{free}') $$) as free;

select tasker_test.make_limited(10000, 'blocked');
select tasker_test.claim(1);
create temporary table many as
  select (
           select max(tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1) $$)) from generate_series(1, 8)
         ) as any,
         tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, p_handlers => '{ship}') $$) as ship,
         tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, p_handlers => '{free}') $$) as free;

select cmp_ok((select m.any from many as m), '<', (select f.any + 600 from few as f), 'a claim of any handler does not read ten thousand blocked steps');
select cmp_ok((select m.ship from many as m), '<', (select f.ship + 300 from few as f), 'a claim under another limit does not read them');
select cmp_ok((select m.free from many as m), '<', (select f.free + 300 from few as f), 'a claim without a limit does not read them');
select is((select u.running from tasker_test.in_use as u where u.key = 'blocked'), 1::bigint, 'one step of the blocked key runs');

select * from finish();
rollback;
