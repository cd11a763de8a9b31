-- What is left of a time may be nothing, less than nothing, or less than a millisecond.
begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();

create temporary table waits (position integer, wait jsonb, ended_by text);
insert into waits values
  (1, '{"await": {"signal": "a"}, "timeout": 0}', 'timeout'), (2, '{"await": {"signal": "a"}, "timeout": -0.5}', 'timeout'),
  (3, '{"await": {"signal": "a"}, "timeout": "-3d"}', 'timeout'), (4, '{"await": {"for": 0}}', 'for'), (5, '{"await": {"for": -7}}', 'for'),
  (6, '{"await": {"for": "0s"}}', 'for'), (7, '{"await": {"event": "paid", "look_back": -1}, "timeout": -1e-9}', 'timeout');
select is(tasker_test.suspend(w.position, w.wait, 'call' || w.position), format('ended {"by": "%s"}', w.ended_by), w.wait::text)
  from waits as w order by w.position;

-- Less than a millisecond is a millisecond, and each further part of one is, too.
select is(tasker_test.suspend(8, '{"await": {"signal": "a"}, "timeout": 0.0004}', 'call8'), 'suspended', 'the function waits a moment');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'end_wait'), '2026-11-22 12:00:00.001+00'::timestamptz, 'less than a millisecond is rounded up');
select tasker_test.pass('1 millisecond');
select tasker_test.fire_notes();
select matches(tasker_test.run_function(), 'call8 {"by": "timeout"}$', 'the time-out ends the wait');
select is(tasker_test.suspend(9, '{"await": {"for": "1.0001s"}}', 'call9'), 'suspended', 'the function waits for more than a second');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'end_wait'), '2026-11-22 12:00:01.002+00'::timestamptz, 'a part of a millisecond is rounded up');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
