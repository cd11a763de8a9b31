-- By the table of the seed: a month below 100,000 a day, a week below a million, else a day. What the
-- tables hold is put into the statistics, which is where the answer comes from.
begin;
select plan(5);

select tasker_test.start_year('2050-03-02 12:00+00', '1 month', '90 days');
select results_eq(
  'select tasks_per_day, recommended_unit, advice from tasker.analyze_growth()',
  $$ values (0.0, 'month', 'there are no tasks yet') $$,
  'nothing to go by'
);
select tasker_test.make_old_task('2 hours');
select is((select advice from tasker.analyze_growth()), 'too early to tell: the first task is 2.0 hours old', 'too little');

select tasker_test.make_old_task('10 days');
create function pg_temp.growth(p_tasks integer) returns text language plpgsql as $$
begin
  update pg_class set reltuples = p_tasks where oid = 'tasker.tasks_p20500201'::regclass;
  return (select recommended_unit || ', ' || round(tasks_per_day, -2) from tasker.analyze_growth());
end;
$$;

-- Eight and a half of the ten days lie in February.
select is(pg_temp.growth(850000), 'month, 85000', 'a month');
select is(pg_temp.growth(8500000), 'week, 850000', 'a week');
select is(pg_temp.growth(85000000), 'day, 8500000', 'a day');

select * from finish();
rollback;
