begin;
select plan(6);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly(p_jitter => 600);
create temporary table runs as
  select r.* from tasker.next_runs('test', 'hourly', 200) as r;
select is((select count(*) from runs where due_at >= tick_at and due_at < tick_at + interval '10 minutes'), 200::bigint, 'each tick is delayed by less than the jitter');
select cmp_ok((select count(distinct due_at - tick_at) from runs), '>', 190::bigint, 'ticks have different delays');
select set_eq('select * from runs', $$ select r.* from tasker.next_runs('test', 'hourly', 200) as r $$, 'the delay of a tick is the same in each call');
select is((select s.due_at from tasker.schedules as s), (select min(due_at) from runs), 'the schedule is due at its delayed tick');
select is(tasker_test.tick((select min(due_at) from runs) - tasker.clock() - interval '1 microsecond'), 0, 'the schedule does not tick before its delay is over');
select is(tasker_test.tick('1 microsecond'), 1, 'the schedule ticks when its delay is over');

select * from finish();
rollback;
