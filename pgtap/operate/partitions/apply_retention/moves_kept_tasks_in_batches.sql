begin;
select plan(17);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as first \gset
select tasker_test.make_old_task('41 days') as second \gset
select tasker_test.make_old_task('41 days') as third \gset
select tasker.set_retention('test', null, '60 days');

-- One batch, as tasker.apply_retention moves a batch, of fewer tasks.
create function pg_temp.moved(p_limit integer) returns text language sql security definer as $$
  select o.outcome || ' ' || o.detail
    from tasker.partition_ranges as r
   cross join lateral tasker.move_kept(r, tasker.kept_templates(r), p_limit) as o
   where r.starts_at = '2050-01-17 00:00+00';
$$;
alter function pg_temp.moved(integer) owner to tasker_owner;
select is(pg_temp.moved(1), 'moving begun', 'the first call makes room');
select is(pg_temp.moved(1), 'moving 1 tasks copied', 'the next call copies a batch');
select is(pg_temp.moved(1), 'moving 2 tasks copied', 'and the next call another batch');
select is((select count(*) from tasker.tasks_p20500117_e1), 2::bigint, 'two tasks are copied');
select is((select count(*) from tasker.tasks), 3::bigint, 'readers see each task once');

-- A copied task changes, and a task that is not copied.
select tasker.erase_task(:'first', 'a request');
select tasker.erase_task(:'third', 'a request');
select isnt_empty('select from tasker.kept_changes', 'changes are noted');
select is(pg_temp.moved(1), 'moving 2 tasks copied', 'the next batch begins with the changes');
select is(
  (select array_agg(t.erased_at is not null order by t.task_uuid = :'first') from tasker.tasks_p20500117_e1 as t), '{f,t}'::boolean[],
  'so that the copy of an erased task is replaced before further tasks are copied'
);
select is(pg_temp.moved(1), 'moving 3 tasks copied', 'the move goes on');
select is(
  (select s.status || ': ' || s.detail from tasker.partition_sizes() as s where s.suffix = 'p20500117'),
  'expired: 3 tasks that are kept longer were copied', 'the range says how far the move has come'
);

-- It lags.
select tasker_test.pass(interval '2 days');
select isnt_empty(
  $$ select from tasker.partition_status() as s where array_to_string(s.problems, ';') ~ '3 tasks were copied out of the range from .* and the move has not ended' $$,
  'a move that takes more than a day is a problem'
);
select tasker_test.pass(-interval '2 days');

-- Another retention comes, and goes.
select tasker_test.register('more', 'only');
select tasker.set_retention('test', 'old', '61 days');
select is(pg_temp.moved(10), 'moved 3 tasks moved to partitions _p20500117_e1', 'the last call replaces the range');
select is(
  (select count(*) from tasker.tasks as t where t.task_uuid in (:'first', :'third') and t.erased_at is not null), 2::bigint,
  'what was erased meanwhile is erased'
);
select ok((select t.erased_at is null from tasker.tasks as t where t.task_uuid = :'second'), 'the other task is as it was');
select is_empty($$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds');

-- Its retention ends at once.
select tasker.set_retention('test', 'old', '1 day');
select is(
  (select o.outcome || ' ' || o.detail from tasker.apply_retention() as o where o.starts_at = '2050-01-17 00:00+00'),
  'dropped partitions _p20500117_e1', 'a template''s retention goes before its namespace''s, and a shorter one drops'
);
select is_empty('select from tasker.tasks', 'no task is left');

select * from finish();
rollback;
