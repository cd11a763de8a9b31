begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('single', 'only');
-- A hundred results within fifty minutes, of a hundred different durations.
do $$
begin
  for i in 1 .. 100 loop
    perform tasker_test.start_task('single');
    perform tasker_test.move_step(tasker_test.the_step('only'), 'in_progress');
    perform tasker.transition_step_state_atomic(
      tasker_test.the_step('only'), 'in_progress', 'enqueued_for_orchestration', null,
      jsonb_build_object('execution_time_ms', i * i)
    );
    perform tasker_test.pass('30 seconds');
  end loop;
end;
$$;
select tasker_test.pass('2 hours');
select tasker.refresh_analytics();
select tasker_test.pass('2 hours');
select tasker.refresh_analytics();

select is((select count(*) from tasker.step_rollups), 50::bigint, 'there is one row for each minute, not for each duration');
select results_eq(
  'select h.bucket, h.results, h.timed, h.min_ms, h.max_ms from tasker.step_hours as h',
  $$ values ('2026-11-21 10:00Z'::timestamptz, 100::bigint, 100::bigint, 1::bigint, 10000::bigint) $$, 'there is one row for the hour'
);
select is((select count(*) from tasker.work_hours as h where h.results = 100), 1::bigint, 'there is one row for the namespace');
select results_eq(
  $$ select s.execution_count, s.p50_duration_seconds between 2.5 * 0.9 and 2.5 * 1.1 from tasker.get_slowest_steps('2026-11-21 10:00Z') as s $$,
  'values (100, true)', 'the percentiles are read from the row of the hour'
);

select * from finish();
rollback;
