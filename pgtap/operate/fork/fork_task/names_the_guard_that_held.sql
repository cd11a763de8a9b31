begin;
select plan(5);

create function pg_temp.guards() returns text language sql as $$
  select string_agg(format('%s %s: %s', s.name, l.event, l.metadata ->> 'guard'), ', ' order by s.step_no)
    from tasker.workflow_step_transition_log as l
    join tasker.workflow_steps as s using (task_uuid, step_no)
   where l.task_uuid = tasker_test.the_task() and l.to_state = 'cancelled';
$$;
select tasker_test.freeze();
select tasker_test.create_waiting('guards', '[{"name": "ask", "await": {"signal": "go"}, "timeout": 60, "on_timeout": "skip"}, {"name": "read"},
  {"name": "line", "for_each": "$.lines", "allow_failures": 1}, {"name": "never", "dependencies": [{"step": "read", "when": "$.n > 1"}]},
  {"name": "last", "join": "settled", "dependencies": ["ask", "read", "line", "never"]}]', '{}', '{"lines": [7, 8]}');
select tasker_test.expand();
select tasker_test.run('read');
select tasker_test.finish_instances('line', 2, '{1}');
select tasker_test.pass('2 minutes');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: ask=cancelled read=complete line=complete never=cancelled last=enqueued line[0]=complete line[1]=cancelled', 'three steps are cancelled, each by another guard');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'last')::text, true);
select is(pg_temp.guards(),
  'ask Skip: its wait timed out, never Skip: its join is not satisfied, line[1] Skip: its map allows the failure', 'the log of a fork names the guard that held in the old task');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'last')::text, true);
select is(pg_temp.guards(),
  'ask Skip: its wait timed out, never Skip: its join is not satisfied, line[1] Skip: its map allows the failure', 'so does that of its fork');
select matches(
  (select h.description from tasker.get_task_history(tasker_test.the_task()) as h where h.step_name = 'ask'), 'was skipped.*: fork of step .*: its wait timed out$', 'and the history says it'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
