begin;
select plan(12);

select is(
  tasker.calculate_step_next_retry_time(10, '2026-06-01 12:00Z', '2026-06-01 12:05Z', 3), '2026-06-01 12:00:10Z',
  'what the worker asked for counts from the attempt'
);
select is(
  tasker.calculate_step_next_retry_time(null, '2026-06-01 12:00Z', '2026-06-01 12:05Z', 3), '2026-06-01 12:05:08Z',
  'the policy counts from the failure'
);
select is(tasker.calculate_step_next_retry_time(0, '2026-06-01 12:00Z', null, 3), '2026-06-01 12:00Z', 'asked for at once');
select is(tasker.calculate_step_next_retry_time(10, null, '2026-06-01 12:05Z', 3), '2026-06-01 12:05:10Z', 'without an attempt''s time the failure''s');
select is(tasker.calculate_step_next_retry_time(null, '2026-06-01 12:00Z', null, 3), '2026-06-01 12:00:08Z', 'and the other way round');
select is(tasker.calculate_step_next_retry_time(null, null, null, 3), null, 'without both it is not known');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', null), '2026-06-01 12:05Z', 'no attempts, no wait');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 30), '2026-06-01 12:06Z', 'the setting''s cap');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 30, 600), '2026-06-01 12:15Z', 'another one');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 2, 600, 3), '2026-06-01 12:05:09Z', 'another multiplier');
select is(tasker.calculate_step_next_retry_time(null, null, 'infinity', 2), 'infinity', 'a time without end');
select is(
  (
    select count(distinct tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', a))
      from unnest(array[44, 100, 2147483647]) as a
  ),
  1::bigint, 'no number of attempts is too large'
);

select * from finish();
rollback;
