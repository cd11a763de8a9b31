begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker.register_worker(tasker_test.worker(), 'a worker');
select from tasker_test.claim();
select tasker_test.remember_rows();
select is_empty('select from tasker_test.claim()', 'nothing is there');
select is_empty('select tasker_test.changed_tables()', 'and nothing is written');
select is_empty(
  $$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, null, gen_random_uuid()) $$, 'nor for a request'
);
select is_empty('select tasker_test.changed_tables()', 'whose reply cannot be missed');
-- What other tests have left behind in small tables is read with them, until they are vacuumed.
select cmp_ok(tasker_test.buffers('select from tasker_test.claim()'), '<', 120::bigint, 'and little read');
select tasker_test.pass('11 seconds');
select from tasker_test.claim();
select set_eq('select tasker_test.changed_tables()', array['tasker.workers'], 'now and then that the worker lives');

select * from finish();
rollback;
