begin;
select plan(19);
select tasker_test.freeze();

create function pg_temp.later(p_time interval) returns text language sql as $$
  select tasker_test.pass(p_time);
  select tasker.fire_due_timers();
  select tasker_test.all_states();
$$;
create function pg_temp.snooze(p_seconds double precision, p_reason text default null) returns text language sql as $$
  select s.answer::text from tasker.snooze_step(tasker_test.the_step('poll'), tasker_test.claim_no('poll'), p_seconds, p_reason) as s;
$$;
select tasker_test.create_waiting('bakery', '[{"name": "poll", "limit": "oven", "retry": {"max_attempts": 1}}, {"name": "sell", "dependencies": ["poll"]}]');
select tasker.set_limit('test', 'oven', 1);
select tasker_test.claim(variadic '{poll}'::text[]);
select tasker.checkpoint_step(tasker_test.the_step('poll'), tasker_test.claim_no('poll'), '{"batch": 7}');
select is(pg_temp.snooze(90, 'the oven is cold'), 'suspended', 'a running step is snoozed');
select is(pg_temp.snooze(90, 'the oven is cold'), 'suspended', 'a repeat gets the same answer');
select is(tasker_test.all_states(), 'waiting_for_dependencies: poll suspended, sell pending', 'it waits');
select alike(
  (select e.summary from tasker.explain_step(tasker_test.the_step('poll')) as e), 'Its handler has asked to run again at %: the oven is cold.%',
  'the explanation has the reason'
);
select is(
  (select l.reason from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 order by l.sort_key desc limit 1),
  'snoozed for 1m 30s: the oven is cold', 'so has the history'
);
select is((select l.in_use from tasker.list_limits('test') as l), 0::bigint, 'its place is free meanwhile');
select is(pg_temp.later('89 seconds'), 'waiting_for_dependencies: poll suspended, sell pending', 'the time has not come');
select is(pg_temp.later('1 second'), 'steps_in_process: poll enqueued, sell pending', 'it is enqueued when the time has come');
select tasker_test.claim(variadic '{poll}'::text[]);
select results_eq(
  $$ select s.attempts, s.checkpoint, s.last_error from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('poll') $$,
  $$ values (1, '{"batch": 7}'::jsonb, null::text) $$, 'it is the first attempt still, with the checkpoint and without an error'
);
select is(pg_temp.snooze(0.5), 'suspended', 'it may be snoozed again, without a reason');
select is(pg_temp.later('1 second'), 'steps_in_process: poll enqueued, sell pending', 'for less than a second');
select is(pg_temp.snooze(5), 'suspended', 'a repeat after the wait is answered alike');
select tasker_test.claim(variadic '{poll}'::text[]);
select is((select s.answer::text from tasker.snooze_step(tasker_test.the_step('poll'), tasker_test.claim_no('poll') - 1, 5) as s), 'stale', 'an earlier claim cannot');
select pg_temp.snooze(5);
select tasker.cancel_task(tasker_test.the_task());
select is(pg_temp.snooze(5), 'cancelled', 'nor can a cancelled step');
select is_empty($$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$, 'no timer is left');

select throws_ok(
  format('select tasker.snooze_step(%L, 1, 31536001)', tasker_test.the_step('poll')), 'TK422', 'a snooze of 31536001 seconds is out of bounds',
  'a year is the longest'
);
select throws_ok(format('select tasker.snooze_step(%L, 1, 0)', tasker_test.the_step('poll')), 'TK422', 'a snooze of 0 seconds is out of bounds', 'it takes some time');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
