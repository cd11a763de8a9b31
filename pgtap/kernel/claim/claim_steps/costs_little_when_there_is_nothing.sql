begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker.register_worker(tasker_test.worker(), 'a worker');
select from tasker_test.claim();
select tasker_test.remember_rows();
select is_empty('select from tasker_test.claim()', 'a claim finds no step');
select is_empty('select tasker_test.changed_tables()', 'it writes nothing');
select is_empty(
  $$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, null, gen_random_uuid()) $$, 'a claim with a request finds no step'
);
select is_empty('select tasker_test.changed_tables()', 'it writes nothing, because an empty reply cannot be lost');
select tasker_test.buffers('select from tasker_test.claim()') as nothing \gset
select tasker_test.pass('11 seconds');
select from tasker_test.claim();
select set_eq('select tasker_test.changed_tables()', array['tasker.workers'], 'it writes the worker''s row now and then');

select tasker_test.create_task('one');
select cmp_ok((2 * :nothing)::bigint, '<', tasker_test.buffers('select from tasker_test.claim()'), 'it costs less than half of a claim of one step');

select * from finish();
rollback;
