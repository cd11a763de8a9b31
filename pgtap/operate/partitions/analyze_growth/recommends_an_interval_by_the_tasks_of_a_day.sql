-- The recommendation is a month below 100,000 tasks a day, a week below a million, and a day above. The test sets
-- the statistics of the tables, from which the function computes the number of tasks.
begin;
select plan(5);

select tasker_test.start_year('2050-03-02 12:00+00', '1 month', '90 days');
select results_eq(
  'select tasks_per_day, recommended_unit, advice from tasker.analyze_growth()',
  $$ values (0.0, 'month', 'there are no tasks yet') $$,
  'a month is recommended when there are no tasks'
);
select tasker_test.make_old_task('2 hours');
select is((select advice from tasker.analyze_growth()), 'too early to tell: the first task is 2.0 hours old', 'the advice waits while the first task is hours old');

select tasker_test.make_old_task('10 days');
create function pg_temp.growth(p_tasks integer) returns text language plpgsql as $$
begin
  update pg_class set reltuples = p_tasks where oid = 'tasker.tasks_p20500201'::regclass;
  return (select recommended_unit || ', ' || round(tasks_per_day, -2) from tasker.analyze_growth());
end;
$$;

-- Eight and a half of the ten days lie in February.
select is(pg_temp.growth(850000), 'month, 85000', '85,000 tasks a day need ranges of a month');
select is(pg_temp.growth(8500000), 'week, 850000', '850,000 tasks a day need ranges of a week');
select is(pg_temp.growth(85000000), 'day, 8500000', '8,500,000 tasks a day need ranges of a day');

select * from finish();
rollback;
