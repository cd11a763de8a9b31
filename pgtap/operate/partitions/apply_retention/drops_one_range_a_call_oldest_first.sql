begin;
select plan(7);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as first \gset
select tasker_test.make_old_task('34 days');
select tasker_test.make_old_task('7 days') as young \gset

select results_eq(
  'select * from tasker.apply_retention()',
  $$ values (timestamptz '2050-01-17 00:00+00', timestamptz '2050-01-24 00:00+00', 'dropped', 'partitions _p20500117') $$,
  'the oldest range is dropped'
);
select is_empty(
  $$ select from pg_class as c where c.relnamespace = 'tasker'::regnamespace and c.relname like '%p20500117%' $$,
  'all its partitions are dropped'
);
select is_empty(format($$ select from tasker.tasks where task_uuid = %L $$, :'first'), 'its task is deleted');
select is(
  (select string_agg(o.outcome || ' ' || o.detail, ', ') from tasker.apply_retention() as o),
  'dropped partitions _p20500124', 'the next call drops the next range'
);
select is(
  (select string_agg(o.outcome || ' ' || o.detail, ', ') from tasker.apply_retention() as o),
  'dropped partitions _p20500131', 'an empty range is dropped'
);
select is_empty('select tasker.apply_retention()', 'no other range is past its retention');
select isnt_empty(format($$ select from tasker.tasks where task_uuid = %L $$, :'young'), 'a younger task stays');

select * from finish();
rollback;
