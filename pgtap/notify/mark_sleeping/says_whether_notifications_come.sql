begin;
select plan(5);

select tasker_test.take_turn();
select tasker.register_namespace('quiet', p_notify => 'off');
select tasker.register_namespace('loud', p_notify => 'always');
create function pg_temp.comes(variadic p_channels text[]) returns boolean language sql as $$
  select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', p_channels)
$$;

select ok(pg_temp.comes('tasker_steps_ready.loud', 'tasker_task_events'), 'yes');
select ok(not pg_temp.comes('tasker_steps_ready.loud', 'tasker_steps_ready.quiet'), 'no if one of the namespaces is off');
select tasker.set_setting('notify', 'off');
select ok(pg_temp.comes('tasker_steps_ready.loud'), 'a namespace decides for itself');
select ok(not pg_temp.comes('tasker_task_events'), 'what has no namespace follows the setting');
select ok(not pg_temp.comes('pgmq_message_ready.orchestration'), 'orchestrators too');

select * from finish();
rollback;
