-- A queue that was analyzed while it was empty: for the planner it has no row, and a look through all of
-- it costs nothing.
begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
update pg_class set relpages = 100, reltuples = 0 where oid = 'tasker.step_queue'::regclass;
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 50) as n));
select is((select count(*) from tasker_test.claim(10)), 10::bigint, 'a claim gets ten steps');
select is((select count(*) from tasker_test.claim(10)), 10::bigint, 'the next claim gets ten more');
select is((select count(*) from tasker.step_queue as q where q.lane = 'running'), 20::bigint, 'other steps are not started');

select * from finish();
rollback;
