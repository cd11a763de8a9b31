begin;
select plan(8);

select tasker_test.take_turn();
select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
update tasker.maintenance_jobs set last_finished_at = tasker.clock(), more_due = false;
select tasker_test.make_old_task('41 days', 'pending');
select tasker_test.make_old_task('34 days');
select tasker_test.make_old_task('27 days');
create function pg_temp.run(p_job text default null) returns text language sql as $$
  select format('%s %s %s', m.job, m.last_done, m.more_due) from tasker.run_maintenance(p_job) as m;
$$;

select is(pg_temp.run('retention'), 'retention 1 t', 'one range is dropped');
select is(
  (select j.last_detail from tasker.list_maintenance_jobs() as j where j.job = 'retention'),
  'held from 2050-01-17 00:00:00+00: tasks: 1 not ended; dropped from 2050-01-24 00:00:00+00: partitions _p20500124',
  'and what stays is named'
);
select tasker_test.pass('10 seconds');
update tasker.maintenance_jobs set more_due = true where job = 'archives';
select is(pg_temp.run(), 'archives 0 f', 'what has more to do lets the others in between');
select is(pg_temp.run(), 'retention 1 t', 'and is due at once, though its time has not come');
select is(pg_temp.run(), 'retention 0 f', 'until there is no more');
select is_empty('select from tasker.run_maintenance()', 'then nothing is due');
select is((select count(*) from tasker.partition_ranges as r where r.ends_at < tasker.clock() - interval '21 days'), 1::bigint, 'the range that is held is left');

update tasker.maintenance_jobs set more_due = true where job = 'rollups';
delete from tasker.rollup_state;
select tasker.run_maintenance();
select is_empty('select from tasker.run_maintenance()', 'a job that fails has no more to do until its time has come');

select * from finish();
rollback;
