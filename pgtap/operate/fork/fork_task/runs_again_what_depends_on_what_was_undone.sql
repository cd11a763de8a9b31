begin;
select plan(7);

create function pg_temp.fork(p_from text, p_version text default null) returns text language plpgsql as $$
begin
  perform set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), p_from, p_version)::text, true);
  return tasker_test.states();
end;
$$;
create function pg_temp.refund() returns void language plpgsql as $$
begin
  perform tasker.cancel_task(tasker_test.the_task());
  perform tasker_test.undo();
  perform tasker_test.run('undo charge');
  perform tasker_test.undo();
end;
$$;

select tasker_test.freeze();
select tasker_test.create_undoable('order', '{charge!,parcel charge,label,ship parcel label}');
select tasker_test.run('charge', 'label', 'parcel');
select pg_temp.refund();
select is(
  pg_temp.fork('ship'), 'steps_in_process: charge=enqueued parcel=pending label=complete ship=pending', 'what depends on a step that was undone runs again with it'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.run('charge', 'parcel', 'ship');
select matches(tasker_test.states(), '^complete', 'the fork completes');

-- The version has no charge any more; the parcel was made from its result.
select tasker_test.create_undoable('order', '{charge!,parcel charge,label,ship parcel label}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2.0.0", "steps": [{"name": "parcel"}, {"name": "label"},
  {"name": "ship", "dependencies": ["parcel", "label"]}]}');
select tasker_test.run('charge', 'label', 'parcel');
select pg_temp.refund();
select is(pg_temp.fork('ship', '2.0.0'), 'steps_in_process: parcel=enqueued label=complete ship=pending', 'so does what depended on a step that the version no longer has');

-- A step that was cancelled alone, and that others did not wait for.
select tasker_test.create_waiting('alone', '[{"name": "ask", "await": {"signal": "go"}}, {"name": "count"}, {"name": "sum", "join": "settled", "dependencies": ["ask", "count"]},
  {"name": "mail", "dependencies": ["sum"]}, {"name": "last"}]');
select tasker_test.run('count');
select tasker.transition_step_state_atomic(tasker_test.the_step('ask'), 'suspended', 'cancelled', null, '{"event": "Cancel"}');
select tasker_test.orchestrate();
select tasker_test.run('sum');
select is(
  pg_temp.fork('last'), 'steps_in_process: ask=suspended count=complete sum=pending mail=pending last=enqueued', 'so does what went on without a step that was cancelled'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
