-- Reading the logs has a bound: also where most of what was logged are transitions of tasks.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.drain();
select tasker.refresh_analytics();
create function pg_temp.log(p_rows integer, p_from integer)
  returns void
  language sql
as $$
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, created_at)
  select tasker_test.the_task(), p_from + n, 'Reset', 'error', 'pending', tasker.clock() from generate_series(1, p_rows) as n;
$$;

select pg_temp.log(15000, 1000);
select is(tasker.fresh_since(), '-infinity'::timestamptz, 'the logs are counted');
select pg_temp.log(15000, 100000);
select is(tasker.fresh_since(), null, 'until they have more than 20,000 rows of tasks and steps');
select results_eq(
  'select h.complete_tasks, h.rolled_up_until = tasker.clock() from tasker.get_system_health_counts() as h',
  'values (1::bigint, true)', 'the totals are as of the last rollup then'
);
select cmp_ok(
  (select tasker_test.buffers('select * from tasker.get_system_health_counts()')), '<', 1000::bigint, 'and cost no more than the bound'
);

select * from finish();
rollback;
