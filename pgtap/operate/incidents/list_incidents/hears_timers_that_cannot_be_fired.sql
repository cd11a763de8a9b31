-- The page, tasker health and /readyz show what list_incidents() returns.
begin;
set local client_min_messages = error;
select plan(6);

select tasker_test.freeze('2026-11-21 10:00:00Z');
create temporary table made as select n as no, tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour') as task from generate_series(1, 3) as n;
select tasker_test.poison(m.task) from made as m where m.no < 3;
select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 1, 'two of three deadlines cannot be fired');
prepare heard as select i.severity, i.what, i.entries, i.next_step, i.since from tasker.list_incidents() as i where i.kind = 'timers';
select tasker_test.judge();
select is_empty('heard', 'one judgement raises nothing: a disk that was full for a moment is no incident');
select tasker_test.pass('15 seconds');
select tasker_test.judge();
select results_eq(
  'heard',
  $$ values ('look_today', '2 timers cannot be fired', 2::bigint, 'Run tasker doctor: it names the error of one of them.', '2026-11-21 11:00:00Z'::timestamptz) $$,
  'the second one in a row does'
);
select tasker_test.pass('45 seconds');
delete from tasker_test.poisoned where task_uuid = (select m.task from made as m where m.no = 1);
select is(tasker.fire_due_timers(), 1, 'one of them fires a minute later');
select tasker_test.judge();
select is((select i.what from tasker.list_incidents() as i where i.kind = 'timers'), '1 timer cannot be fired', 'the other one still cannot');
select tasker_test.cure();
select tasker_test.pass('1 minute');
select tasker.fire_due_timers();
select tasker_test.judge();
select tasker_test.pass('1 minute');
select tasker_test.judge();
select is_empty('heard', 'it ends when all timers have fired');

select * from finish();
rollback;
