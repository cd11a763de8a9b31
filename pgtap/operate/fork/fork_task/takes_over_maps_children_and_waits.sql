begin;
select plan(27);

create function pg_temp.fork(p_from text) returns text language plpgsql as $$
begin
  perform set_config('tasker_test.old', tasker_test.the_task()::text, true);
  perform set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), p_from)::text, true);
  return tasker_test.states();
end;
$$;
select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.lines(p_name text, p_fields jsonb default '{}') returns void language sql as $$
  select tasker_test.create_waiting(p_name, jsonb_build_array(
    '{"name": "read"}'::jsonb, '{"name": "other"}'::jsonb,
    '{"name": "line", "for_each": {"step": "read"}, "dependencies": ["read"]}'::jsonb || p_fields,
    '{"name": "sum", "dependencies": ["line", "other"]}'::jsonb
  ));
  select tasker_test.claim('read');
  select tasker_test.finish('read', '[7, 8, 9]');
  select tasker_test.expand();
$$;

-- A map that is done.
select pg_temp.lines('all');
select tasker_test.finish_instances('line');
select tasker_test.expand();
select is(pg_temp.fork('other'),
  'steps_in_process: read=complete other=enqueued line=complete sum=pending line[0]=complete line[1]=complete line[2]=complete', 'the results of a complete map are taken over');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.run('other');
select tasker_test.claim('sum');
select is(
  (select jsonb_agg(r.results order by r.step_no) from tasker.get_parent_results(tasker_test.the_step('sum')) as r),
  '[{}, {"got": 7}, {"got": 8}, {"got": 9}]', 'the results are in the order of the elements'
);
select tasker_test.finish('sum');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'complete', 'the fork completes');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

-- A map that has begun.
select pg_temp.lines('few', '{"max_parallel": 2}');
select tasker_test.finish_instances('line', 1);
select tasker_test.finish_instances('line', 1, '{1}');
select is(tasker_test.states(), 'steps_in_process: read=complete other=enqueued line=pending sum=pending line[0]=complete line[1]=error', 'the old task has a map with one complete element');
select is(pg_temp.fork('other'),
  'steps_in_process: read=complete other=enqueued line=pending sum=pending line[0]=complete line[1]=enqueued', 'complete elements are taken over, and the other elements run');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.expand();
select is(tasker_test.states(),
  'steps_in_process: read=complete other=enqueued line=pending sum=pending line[0]=complete line[1]=enqueued line[2]=enqueued', 'the map continues with its next elements');
select tasker_test.finish_instances('line');
select tasker_test.expand();
select tasker_test.run('other', 'sum');
select is(tasker_test.states(),
  'complete: read=complete other=complete line=complete sum=complete line[0]=complete line[1]=complete line[2]=complete', 'the fork completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(pg_temp.fork('line'), 'waiting_for_dependencies: read=complete other=complete line=pending sum=pending', 'a fork from a map expands it again');
select tasker_test.expand();
select is(tasker_test.states(),
  'steps_in_process: read=complete other=complete line=pending sum=pending line[0]=enqueued line[1]=enqueued', 'the map has the elements of the same array');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(pg_temp.fork('read'), 'steps_in_process: read=enqueued other=complete line=pending sum=pending', 'a fork from a step above a map expands it again');

-- Tolerated failures.
select pg_temp.lines('some', '{"allow_failures": 2}'::jsonb);
select tasker_test.finish_instances('line', 3, '{0, 2}');
select tasker_test.expand();
select is(pg_temp.fork('sum'),
  'steps_in_process: read=complete other=enqueued line=complete sum=pending line[0]=cancelled line[1]=complete line[2]=cancelled', 'a tolerated failure is taken over');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

-- Children.
select tasker_test.family();
select tasker.fire_due_timers();
select is(pg_temp.fork('after'), 'waiting_for_dependencies: kid=suspended after=pending', 'a step whose child still runs starts another child');
select tasker.fire_due_timers();
select isnt(
  (select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.step_no = 1),
  (select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = current_setting('tasker_test.old')::uuid and s.step_no = 1),
  'the fork has a child of its own'
);
select set_config('tasker_test.parent', tasker_test.the_task()::text, true);
select tasker_test.child();
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select tasker_test.parent();
select is(pg_temp.fork('after'), 'steps_in_process: kid=complete after=enqueued', 'the result of a child that has ended is taken over');
select is(
  (select count(*)::integer from tasker.workflow_steps as n join tasker.workflow_steps as o on o.results = n.results
    where n.task_uuid = tasker_test.the_task() and n.step_no = 1 and o.task_uuid = current_setting('tasker_test.old')::uuid and o.step_no = 1), 1, 'the fork''s step keeps that child');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- Waits.
select tasker_test.create_waiting('approval', '[{"name": "ask", "await": {"signal": "approved"}}, {"name": "again", "await": {"signal": "approved"}, "dependencies": ["ask"]},
  {"name": "ship", "dependencies": ["again"]}]');
select tasker_test.signal('approved', '{"by": "ann"}');
select is(pg_temp.fork('ship'), 'waiting_for_dependencies: ask=complete again=suspended ship=pending', 'the result of a taken signal is taken over, and a step that waits begins its wait again');
select is(tasker_test.signal('approved'), 'delivered again', 'the fork takes a signal of its own');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
