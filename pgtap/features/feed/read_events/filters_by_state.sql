begin;
select plan(7);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select tasker_test.drain();

create function pg_temp.shown(p_filter jsonb) returns text language plpgsql as $$
begin
  perform tasker.unsubscribe('all');
  perform from tasker.subscribe('all', p_filter);
  update tasker.subscriptions set snapshot = '3:3:';
  return (select string_agg(concat_ws(' ', r.kind, r.event, r.to_state), ', ' order by r.kind, r.sort_key) from tasker_test.read() as r);
end;
$$;
select is(pg_temp.shown('{"kinds": ["task"], "to_states": ["complete", "error", "cancelled"]}'), 'task AllStepsSuccessful complete', 'a task that ends is delivered by its state');
select is(pg_temp.shown('{"to_states": ["complete"]}'), 'step Complete complete, task AllStepsSuccessful complete', 'tasks and steps share names of states');
select is(pg_temp.shown('{"to_states": ["pending"]}'), 'task Create pending', 'a creation leads to the state pending');
select is(pg_temp.shown('{"to_states": ["in_progress"]}'), 'step Start in_progress', 'a state of steps only selects no task');
select is(pg_temp.shown('{"events": ["Start", "Complete"], "to_states": ["initializing", "complete"]}'), 'step Complete complete, task Start initializing', 'events and states are combined');
select is((select s.to_states from tasker.list_subscriptions() as s), '{complete,initializing}', 'list_subscriptions shows the states');
select is((select s.to_states from tasker.subscribe('all', '{"to_states": ["complete"]}') as s), '{complete}', 'subscribe changes the states');

select * from finish();
rollback;
