-- A function has taken a signal and an event, and fails. A retry, a reset and a reset of many let it go on with both; a fork, which is
-- another task, waits for its own signals and looks back for the event.
begin;
select plan(20);

select tasker_test.freeze('2026-11-22 12:00:00+00');

create function pg_temp.take_both() returns void language plpgsql as $$
begin
  perform tasker_test.begin_function();
  perform tasker_test.suspend(1, '{"await": [{"signal": "approved"}]}', '$await.approved');
  perform tasker_test.signal('approved', '{"by": "ann"}', 'click-1');
  perform tasker_test.run_function();
  perform tasker_test.suspend(2, '{"await": [{"event": "paid", "look_back": "1d"}]}', '$await.paid');
  perform tasker_test.fire_notes();
  perform tasker_test.emit('paid', '{"sum": 7}');
  perform tasker_test.fire_notes();
  perform tasker_test.run_function();
  perform tasker_test.fail_for_good('work');
end;
$$;

create function pg_temp.is_kept(p_call text) returns setof text language plpgsql as $$
begin
  return next matches(
    tasker_test.run_function(), '^\$await.approved .*"by": "ann".*, \$await.paid .*"sum": 7', p_call || ' keeps the signal and the event'
  );
  return next is(tasker_test.signal('approved', '{"by": "ann"}', 'click-1'), 'repeated work', p_call || ': a repeat of the signal is answered repeated');
  return next is(tasker_test.suspend(3, '{"await": [{"signal": "approved"}]}', '$await.approved.2'), 'suspended', p_call || ': another wait');
  return next is(tasker_test.signal('approved', '{"by": "bob"}', 'click-2'), 'delivered work', p_call || ': takes the next signal');
  return next is_empty('select tasker_test.violations()', 'every invariant holds');
  return next is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');
end;
$$;

select pg_temp.take_both();
select tasker.reset_task(tasker_test.the_task());
select * from pg_temp.is_kept('a reset');

select pg_temp.take_both();
select from tasker.reset_tasks('the bank is back');
select * from pg_temp.is_kept('a reset of many');

select pg_temp.take_both();
select tasker.retry_step(tasker_test.the_step('work'));
select * from pg_temp.is_kept('a retry');

-- The last signal was taken by the wait before; the fork has none of both.
select tasker_test.run_function();
select tasker_test.fail_for_good('work');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'work', p_cancel => true)::text, true);
select tasker_test.run_function();
select tasker_test.suspend(1, '{"await": [{"signal": "approved"}]}', '$await.approved');
select is(tasker_test.signal('approved', '{"by": "ann"}', 'click-1'), 'delivered work', 'a fork takes the same signal, sent to the fork');
select tasker_test.run_function();
select tasker_test.suspend(2, '{"await": [{"event": "paid", "look_back": "1d"}]}', '$await.paid');
select tasker_test.fire_notes();
select matches(tasker_test.run_function(), '"sum": 7', 'a fork looks back for the event');

select * from finish();
rollback;
