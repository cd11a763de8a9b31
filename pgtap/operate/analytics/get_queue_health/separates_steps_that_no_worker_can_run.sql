begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('two', 'approve', 'ship');
select tasker_test.launch('two');
select tasker_test.pass('10 minutes');
prepare waits as
select q.oldest_ready_seconds, q.oldest_served_seconds
  from tasker.get_queue_health() as q
 where q.namespace_name = 'test'
   and q.lane = 'normal';
select results_eq('execute waits', $$ values (600::float8, 600::float8) $$, 'all ready steps count as served while no worker runs');

select tasker.register_worker(tasker_test.worker(1), 'one', '{test}', '{pack}');
select results_eq('execute waits', $$ values (600::float8, 0::float8) $$, 'no step is served by a worker that has neither handler');
select tasker.register_namespace('other');
select tasker.register_worker(tasker_test.worker(2), 'two', '{other}', '{ship}');
select results_eq('execute waits', $$ values (600::float8, 0::float8) $$, 'no step is served by a worker of another namespace');
select tasker.register_worker(tasker_test.worker(2), 'two', '{test,other}', '{ship}');
select results_eq('execute waits', $$ values (600::float8, 600::float8) $$, 'a step is served by a worker that has its handler');
select is(
  (select array_agg(u.handler) from tasker.list_unserved_steps() as u), '{approve}', 'list_unserved_steps lists the other handler'
);

select from tasker.claim_steps('{test}', tasker_test.worker(2), 10, p_handlers => '{ship}');
select results_eq('execute waits', $$ values (600::float8, 0::float8) $$, 'the remaining step is not served');
select tasker_test.pass('61 seconds');
select results_eq('execute waits', $$ values (661::float8, 661::float8) $$, 'all ready steps count as served after the workers are gone');

select * from finish();
rollback;
