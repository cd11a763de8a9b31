-- The range is held, and the younger ones are dropped all the same.
begin;
select plan(3);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days', 'pending') as task \gset
select tasker_test.make_old_task('34 days');

select results_eq(
  'select starts_at, outcome, detail from tasker.apply_retention()',
  $$
  values
    (timestamptz '2050-01-17 00:00+00', 'held',    'tasks: 1 not ended'),
    (timestamptz '2050-01-24 00:00+00', 'dropped', 'partitions _p20500124')
  $$,
  'the first range is held, and the next one is dropped'
);
select is(tasker.get_current_task_state(:'task')::text, 'pending', 'the task keeps its state');

select tasker_test.move_task(:'task', 'cancelled');
select results_eq(
  'select starts_at, outcome from tasker.apply_retention()',
  $$ values (timestamptz '2050-01-17 00:00+00', 'dropped') $$,
  'the range is dropped when the task has ended'
);

select * from finish();
rollback;
