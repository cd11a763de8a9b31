begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.parcels('{"max_parallel": 2}', p_context => '{"lines": [{"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}]}');
create function pg_temp.open() returns text language sql as $$
  select format('%s open, %s made', count(*) filter (where not t.complete), count(*)) from tasker.tasks as t where t.depth = 1;
$$;
select is(pg_temp.open(), '2 open, 2 made', 'two tasks start');
select tasker_test.pack(p_limit => 1);
select is(pg_temp.open(), '2 open, 3 made', 'the end of one starts the next');
select tasker_test.pack(), tasker_test.pack(), tasker_test.pack();
select is(pg_temp.open(), '0 open, 5 made', 'all of them run');
select alike(tasker_test.parcel_states(), 'steps_in_process: parcels=complete bill=enqueued %', 'the map completes');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds');

select * from finish();
rollback;
