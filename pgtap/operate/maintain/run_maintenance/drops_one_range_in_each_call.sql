begin;
select plan(8);

select tasker_test.take_turn();
select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
update tasker.maintenance_duties set last_finished_at = tasker.clock(), more_due = false;
select tasker_test.make_old_task('41 days', 'pending');
select tasker_test.make_old_task('34 days');
select tasker_test.make_old_task('27 days');
create function pg_temp.run(p_duty text default null) returns text language sql as $$
  select format('%s %s %s', m.duty, m.last_done, m.more_due) from tasker.run_maintenance(p_duty) as m;
$$;

select is(pg_temp.run('retention'), 'retention 1 t', 'one call drops one range');
select is(
  (select j.last_detail from tasker.list_maintenance_duties() as j where j.duty = 'retention'),
  'held from 2050-01-17 00:00:00+00: tasks: 1 not ended; dropped from 2050-01-24 00:00:00+00: partitions _p20500124',
  'the detail names the held range and the dropped one'
);
select tasker_test.pass('10 seconds');
update tasker.maintenance_duties set more_due = true where duty = 'archives';
select is(pg_temp.run(), 'archives 0 f', 'another duty runs before one that has more to do');
select is(pg_temp.run(), 'retention 1 t', 'a duty that has more to do is due before its interval has passed');
select is(pg_temp.run(), 'retention 0 f', 'the last call drops nothing and has no more to do');
select is_empty('select from tasker.run_maintenance()', 'no duty is due after that');
select is((select count(*) from tasker.partition_ranges as r where r.ends_at < tasker.clock() - interval '21 days'), 1::bigint, 'the held range is still there');

update tasker.maintenance_duties set more_due = true where duty = 'rollups';
delete from tasker.rollup_state;
select tasker.run_maintenance();
select is_empty('select from tasker.run_maintenance()', 'a failed duty is not due before its interval has passed');

select * from finish();
rollback;
