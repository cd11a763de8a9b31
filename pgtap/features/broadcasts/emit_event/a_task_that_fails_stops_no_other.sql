begin;
set local client_min_messages = error;
select plan(7);

select tasker_test.freeze();
create temporary table made (no integer, task uuid);
insert into made
select n, tasker_test.create_waiting('waiting', '[{"name": "a", "await": {"event": "paid"}}]')
  from generate_series(1, 4) as n;
select tasker_test.fire_notes();
select tasker_test.poison(m.task) from made as m where m.no = 2;
select tasker_test.emit('paid');
update tasker.timers set xact = 0;

select is(tasker.fire_due_timers(), 1, 'the event is delivered');
prepare states as select m.no, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t order by m.no;
select results_eq(
  'states', $$ values (1, 'complete'), (2, 'waiting_for_dependencies'), (3, 'complete'), (4, 'complete') $$, 'it comes to the steps of all other tasks'
);
select results_eq(
  'select r.task_uuid, r.due_at - tasker.clock() from tasker.broadcast_retries as r',
  $$ select m.task, interval '1 minute' from made as m where m.no = 2 $$, 'it is tried again in a minute'
);
select tasker_test.pass('1 minute');
select lives_ok('select from tasker_test.claim()', 'a claim that finds it due does not fail');
select tasker_test.cure();
select tasker_test.pass('1 minute');
select is(tasker.fire_due_timers(), 1, 'without the cause it is delivered');
select results_eq(
  'states', $$ values (1, 'complete'), (2, 'complete'), (3, 'complete'), (4, 'complete') $$, 'the last task completes'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
