begin;
select plan(49);

create function pg_temp.fork(p_from text) returns text language plpgsql as $$
begin
  perform set_config('tasker_test.old', tasker_test.the_task()::text, true);
  perform set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), p_from)::text, true);
  return tasker_test.states();
end;
$$;
select tasker_test.take_turn();
create temporary table made as
  select e.state::text as state, null::text as result from unnest(enum_range(null::tasker.task_state)) as e (state);
do $$
declare
  v_state text;
begin
  for v_state in select m.state from made as m loop
    perform tasker_test.make_task_in(v_state);
    update made as m set result = pg_temp.fork('right') where m.state = v_state;
    update made as m
       set result = m.result || coalesce(' ' || (select string_agg(v, ' ') from tasker_test.violations() as v), '')
     where m.state = v_state;
  end loop;
end;
$$;
select is(
  m.result,
  case
    when m.state = 'complete' then 'steps_in_process: top=complete left=complete right=enqueued bottom=pending'
    when m.state = 'resolved_manually' then 'steps_in_process: top=enqueued left=pending right=pending bottom=pending'
    else 'steps_in_process: top=enqueued left=pending right=pending bottom=pending'
  end,
  m.state
) from made as m;

-- Steps in every state, each with a child: forked from a step below none of them.
select tasker_test.make_task_with_steps_in_every_state();
select pg_temp.fork('after_error');
select is_empty('select tasker_test.violations()', 'steps in every state: every invariant holds');
select is(
  (select s.state::text from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step(e.state::text)),
  case e.state::text
    when 'complete' then 'complete'
    when 'resolved_manually' then 'resolved_manually'
    else 'enqueued'
  end,
  'a step that is ' || e.state
) from unnest(enum_range(null::tasker.step_state)) as e (state);
select is(
  (select s.state::text from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('after_' || e.state)),
  case when e.state in ('complete', 'resolved_manually') then 'enqueued' else 'pending' end,
  'the child of one that is ' || e.state
) from unnest(enum_range(null::tasker.step_state)) as e (state);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

-- Skipped, not cancelled.
select tasker_test.create_waiting('choice', '[{"name": "ask"}, {"name": "yes", "dependencies": [{"step": "ask", "when": "$.ok == true"}]},
  {"name": "no", "dependencies": [{"step": "ask", "when": "$.ok == false"}]}, {"name": "tell", "join": "any", "dependencies": ["yes", "no"]}]');
select tasker_test.claim('ask');
select tasker_test.finish('ask', '{"ok": true}');
select tasker_test.run('yes', 'tell');
select is(pg_temp.fork('tell'), 'steps_in_process: ask=complete yes=complete no=cancelled tell=enqueued', 'a step that was skipped stays skipped');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(pg_temp.fork('ask'), 'steps_in_process: ask=enqueued yes=pending no=pending tell=pending', 'a fork from the first step is a new task');
select is(pg_temp.fork('tell'), 'steps_in_process: ask=enqueued yes=pending no=pending tell=pending', 'a fork of a fork starts at the given step');
select tasker.cancel_task(tasker_test.the_task());
select is(pg_temp.fork('tell'), 'steps_in_process: ask=enqueued yes=pending no=pending tell=pending', 'a cancelled task can be forked');
select tasker_test.claim('ask');
select tasker_test.finish('ask', '{"ok": false}');
select is(tasker_test.states(), 'steps_in_process: ask=complete yes=cancelled no=enqueued tell=pending', 'conditions use the results that were taken over');
select pg_temp.fork('tell');
select tasker_test.run('no', 'tell');
select is(tasker_test.states(), 'complete: ask=complete yes=cancelled no=complete tell=complete', 'the fork completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

-- Those that cancel the old one.
select tasker_test.create_task();
select tasker_test.run('top');
select set_config('tasker_test.old', tasker_test.the_task()::text, true);
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'left', p_reason => 'a bug', p_cancel => true)::text, true);
select is(tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'p_cancel forks the task, and the fork continues');
select set_config('tasker_test.new', tasker_test.the_task()::text, true);
select set_config('tasker_test.task', current_setting('tasker_test.old'), true);
select is(tasker_test.states(), 'cancelled: top=complete left=cancelled right=cancelled bottom=cancelled', 'p_cancel cancels the old task');
select is(
  tasker_test.last_entry(),
  format('Cancel by %s for task %s goes on: a bug', session_user, current_setting('tasker_test.new')), 'the log of the old task names the fork and the reason'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
