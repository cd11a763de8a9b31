begin;
select plan(11);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as first \gset
select tasker_test.make_old_task('41 days') as second \gset
select tasker_test.register('long', 'only');
select tasker_test.pass(-interval '41 days');
select tasker_test.make_task('long') as long \gset
select tasker_test.pass(interval '41 days');

create function pg_temp.moved(p_limit integer) returns text language sql security definer as $$
  select o.outcome || ' ' || o.detail
    from tasker.partition_ranges as r
   cross join lateral tasker.move_kept(r, tasker.kept_templates(r), p_limit) as o
   where r.starts_at = '2050-01-17 00:00+00';
$$;
alter function pg_temp.moved(integer) owner to tasker_owner;
select tasker.set_retention('test', 'long', '90 days');
select pg_temp.moved(1);
select is(pg_temp.moved(1), 'moving 1 tasks copied', 'one template is kept');
select tasker.set_retention('test', 'old', '60 days');
select is(pg_temp.moved(2), 'moving 2 tasks copied', 'another template is kept, too: the copies are made again');
select is(pg_temp.moved(2), 'moved 3 tasks moved to partitions _p20500117_e1', 'all are moved');
select is((select count(*) from tasker.tasks), 3::bigint, 'each once');

-- One of the templates' time is over: the range is moved again, without its tasks.
select tasker_test.pass(interval '23 days');
select is(
  (select o.outcome || ' ' || o.detail from tasker.apply_retention() as o where o.starts_at = '2050-01-17 00:00+00'),
  'moving begun', 'the range is moved again when the time of a template is over'
);
-- The first of these drops the next range.
select tasker.set_retention('test', 'long', null);
select tasker.set_retention('test', 'long', '90 days');
select is(
  (select o.outcome || ' ' || o.detail from tasker.apply_retention() as o where o.starts_at = '2050-01-17 00:00+00'),
  'moved 1 tasks moved to partitions _p20500117_e2', 'only the other template is kept'
);
select is((select array_agg(t.task_uuid) from tasker.tasks as t), array[:'long']::uuid[], 'its task is there');

-- Nothing is kept any longer while the move of another range is under way: its copies go.
select tasker_test.make_old_task('34 days') as other \gset
select tasker.set_retention('test', 'old', '90 days');
do $$
begin
  for i in 1..9 loop
    exit when exists (select from tasker.apply_retention() as o where o.outcome = 'moving');
  end loop;
end;
$$;
select is(
  (select m.starts_at from tasker.kept_moves as m), tasker.partition_floor(tasker.uuid_v7_time(:'other'), '7 days'), 'another range is moved'
);
select tasker_test.make_old_task('34 days', 'pending');
select tasker.set_retention('test', 'old', null);
select tasker.set_retention('test', 'long', null);
select tasker.apply_retention();
select tasker.apply_retention();
select is_empty('select from tasker.kept_moves', 'a move for nothing leaves no row');
select is_empty($$ select from pg_class as c where c.relnamespace = 'tasker'::regnamespace and c.relname ~ '_e1$' $$, 'and no copy');
select isnt_empty('select from tasker.held_partitions()', 'the range is held by its open task');

select * from finish();
rollback;
