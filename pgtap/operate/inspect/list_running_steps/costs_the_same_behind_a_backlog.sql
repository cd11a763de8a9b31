begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('single', 'a');
select tasker.create_tasks('test', 'single', (select array_agg(jsonb_build_object('n', n)) from generate_series(1, 10) as n));
select from tasker_test.claim(10);
select from tasker.list_running_steps();
select tasker_test.buffers('select from tasker.list_running_steps()') as before \gset
select tasker.create_tasks('test', 'single', (select array_agg(jsonb_build_object('m', n)) from generate_series(1, 1000) as n));
select tasker.create_tasks('test', 'single', (select array_agg(jsonb_build_object('k', n)) from generate_series(1, 1000) as n));
select is((select count(*) from tasker.list_running_steps()), 10::bigint, 'ten steps run');
-- The margin is for indexes that are a level deeper.
select cmp_ok(
  tasker_test.buffers('select from tasker.list_running_steps()'), '<', :before::bigint + 60, 'two thousand ready steps add no cost'
);

select * from finish();
rollback;
