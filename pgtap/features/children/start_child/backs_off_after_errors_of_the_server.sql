begin;
select plan(7);

select tasker_test.take_turn();
select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "leaf", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select tasker_test.create_waiting('tree', '[{"name": "kid", "task": {"name": "leaf"}}]') is not null as made;
create function pg_temp.due() returns text language sql as $$
  select (m.due_at - tasker.clock())::text from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'start_child';
$$;

set local client_min_messages = error;
alter function tasker.make_child(tasker.tasks, integer, jsonb) rename to really_make_child;
create function tasker.make_child(p_parent tasker.tasks, p_step_no integer, p_task jsonb) returns uuid language plpgsql as
$$ begin raise exception using errcode = current_setting('tasker_test.code'), message = 'no'; end; $$;

select set_config('tasker_test.code', '53100', true);
select tasker.fire_due_timers();
select is(pg_temp.due(), '00:00:10', 'the child is started again ten seconds after an error of the server');
select tasker_test.pass('40 seconds');
select tasker.fire_due_timers();
select is(pg_temp.due(), '00:00:40', 'the next pause is as long as the step has waited');
select tasker_test.pass('1 day');
select tasker.fire_due_timers();
select is(pg_temp.due(), '00:10:00', 'a pause is at most ten minutes');
select is((select s.state::text from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()), 'suspended', 'the step still waits');

select set_config('tasker_test.code', '23514', true);
select tasker_test.pass('1 day');
select tasker.fire_due_timers();
select is(
  (select s.state || ': ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()),
  'error: no', 'an error that would occur again fails the step'
);
select is(pg_temp.due(), null, 'no note is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
