begin;
select plan(6);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly(p_jitter => 600);
create temporary table runs as
  select r.* from tasker.next_runs('test', 'hourly', 200) as r;
select is((select count(*) from runs where due_at >= tick_at and due_at < tick_at + interval '10 minutes'), 200::bigint, 'later, within the jitter');
select cmp_ok((select count(distinct due_at - tick_at) from runs), '>', 190::bigint, 'by another time for each tick');
select set_eq('select * from runs', $$ select r.* from tasker.next_runs('test', 'hourly', 200) as r $$, 'which is the same at each look');
select is((select s.due_at from tasker.schedules as s), (select min(due_at) from runs), 'the schedule is due then');
select is(tasker_test.tick((select min(due_at) from runs) - tasker.clock() - interval '1 microsecond'), 0, 'not before');
select is(tasker_test.tick('1 microsecond'), 1, 'but then');

select * from finish();
rollback;
