begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-11 12:00+00');
select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly('minutely', '* * * * *', p_catch_up => 'all');

select tasker_test.pass('10 days');
create function pg_temp.tasks_after_calls() returns bigint[] language plpgsql as $$
declare
  v_counts bigint[] := '{}';
begin
  for i in 1 .. 5 loop
    perform tasker.fire_due_timers();
    v_counts := v_counts || (select count(*) from tasker.tasks);
  end loop;
  return v_counts;
end;
$$;
select is(pg_temp.tasks_after_calls(), '{1,2,3,4,5}'::bigint[], 'each call, a transaction of its own, creates one task');
select tasker_test.tick();
select results_eq(
  $$ select k.outcome, count(*), min(k.tick), max(k.tick) from tasker_test.ticks as k group by k.outcome order by 1 $$,
  $$ values ('made', 101::bigint, '01 12:01', '11 12:00'), ('skipped', 1, '01 13:41', '01 13:41') $$,
  'a schedule makes up for the oldest hundred of 14,400 missed minutes, and the newest tick is on time'
);
select matches(
  (select k.reason from tasker_test.ticks as k where k.outcome = 'skipped'),
  '^missed, with all up to 2026-03-11 11:59:00Z: the schedule makes up for 100 at most$', 'the other missed ticks are one entry of the history'
);
select is((select count(*) from tasker.tasks), 101::bigint, 'each tick that was made up for has one task');
select is(tasker_test.tick('1 minute'), 1, 'the schedule continues with the next tick');

select * from finish();
rollback;
