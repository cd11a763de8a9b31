begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker.queue_groups('{test}');
select tasker_test.buffers($$ select from tasker.queue_groups('{test}') $$) as before \gset
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 4000) as n));
select cmp_ok(tasker_test.buffers($$ select from tasker.queue_groups('{test}') $$), '<', :before + 20::bigint, 'it costs no more buffers with many rows behind the first');

select * from finish();
rollback;
