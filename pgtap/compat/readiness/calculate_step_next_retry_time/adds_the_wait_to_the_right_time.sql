begin;
select plan(12);

select is(
  tasker.calculate_step_next_retry_time(10, '2026-06-01 12:00Z', '2026-06-01 12:05Z', 3), '2026-06-01 12:00:10Z',
  'the worker''s wait counts from the attempt'
);
select is(
  tasker.calculate_step_next_retry_time(null, '2026-06-01 12:00Z', '2026-06-01 12:05Z', 3), '2026-06-01 12:05:08Z',
  'the policy''s wait counts from the failure'
);
select is(tasker.calculate_step_next_retry_time(0, '2026-06-01 12:00Z', null, 3), '2026-06-01 12:00Z', 'a wait of zero is due at the attempt');
select is(tasker.calculate_step_next_retry_time(10, null, '2026-06-01 12:05Z', 3), '2026-06-01 12:05:10Z', 'a missing attempt is replaced by the failure');
select is(tasker.calculate_step_next_retry_time(null, '2026-06-01 12:00Z', null, 3), '2026-06-01 12:00:08Z', 'a missing failure is replaced by the attempt');
select is(tasker.calculate_step_next_retry_time(null, null, null, 3), null, 'the result is null without both');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', null), '2026-06-01 12:05Z', 'zero attempts have no wait');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 30), '2026-06-01 12:06Z', 'the setting limits the wait');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 30, 600), '2026-06-01 12:15Z', 'a given cap limits the wait');
select is(tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', 2, 600, 3), '2026-06-01 12:05:09Z', 'a given multiplier changes the wait');
select is(tasker.calculate_step_next_retry_time(null, null, 'infinity', 2), 'infinity', 'an infinite failure gives an infinite time');
select is(
  (
    select count(distinct tasker.calculate_step_next_retry_time(null, null, '2026-06-01 12:05Z', a))
      from unnest(array[44, 100, 2147483647]) as a
  ),
  1::bigint, 'no number of attempts is too large'
);

select * from finish();
rollback;
