begin;
select plan(5);

select tasker_test.take_turn();
select tasker.register_namespace('quiet', p_notify => 'off');
select tasker.register_namespace('loud', p_notify => 'always');
create function pg_temp.comes(variadic p_channels text[]) returns boolean language sql as $$
  select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', p_channels)
$$;

select ok(pg_temp.comes('tasker_steps_ready.loud', 'tasker_task_events'), 'it returns true if all channels are notified');
select ok(not pg_temp.comes('tasker_steps_ready.loud', 'tasker_steps_ready.quiet'), 'it returns false if one of the namespaces is off');
select tasker.set_setting('notify', 'off');
select ok(pg_temp.comes('tasker_steps_ready.loud'), 'the setting of a namespace overrides the general one');
select ok(not pg_temp.comes('tasker_task_events'), 'a channel without a namespace follows the general setting');
select ok(not pg_temp.comes('pgmq_message_ready.orchestration'), 'the channel of orchestrators follows the general setting');

select * from finish();
rollback;
