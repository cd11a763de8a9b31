begin;
select plan(43);

-- Limit "one" has a concurrency of 1; each case creates two steps of handler "p" that name it, or makes them ready, in another way.
create function pg_temp.due() returns void language plpgsql as $$
begin
  for i in 1 .. 5 loop
    perform from tasker.orchestrate(1000);
    perform tasker.fire_due_timers(1000);
  end loop;
end;
$$;
create function pg_temp.born(p_way text) returns setof text language plpgsql as $$
begin
  perform pg_temp.due();
  return next is(
    (select string_agg(q.lane::text, ' ') from tasker.step_queue as q join tasker.named_steps as h using (named_step_uuid) where h.name = 'p'),
    'limited limited', p_way || ': both steps wait for their limit'
  );
  return next is(
    array[
      (select count(*) from tasker.claim_steps('{test}', gen_random_uuid(), 10, p_handlers => '{p}')),
      (select count(*) from tasker.claim_steps('{test}', gen_random_uuid(), 10, p_handlers => '{p}'))
    ], '{1,0}', p_way || ': one of them starts'
  );
  perform tasker_test.end_tasks();
  perform pg_temp.due();
end;
$$;
create function pg_temp.two(p_fields jsonb default '{}') returns jsonb language sql as $$
  select jsonb_agg(jsonb_build_object('name', n, 'handler', 'p', 'limit', 'one', 'retry', '{"max_attempts": 3, "base_seconds": 1}'::jsonb) || p_fields)
    from unnest('{a,b}'::text[]) as n;
$$;
create function pg_temp.make(p_name text, p_steps jsonb) returns uuid language sql as $$
  select tasker_test.create_waiting(p_name, p_steps, '{}', '{"lines": [1, 2]}');
$$;
-- Both steps run: the limit is away for as long.
create function pg_temp.take(p_lease integer default 60) returns void language sql as $$
  select tasker.set_limit('test', 'one', null);
  select tasker.claim_steps('{test}', tasker_test.worker(1), 10, p_lease, p_handlers => '{p}');
  select tasker.set_limit('test', 'one', 1);
$$;
create function pg_temp.taken(out uuids uuid[], out claims integer[]) language sql as $$
  select array_agg(s.workflow_step_uuid), array_agg(s.claim_no) from tasker.workflow_steps as s where s.state = 'in_progress';
$$;

select tasker_test.freeze();
select pg_temp.make('two', pg_temp.two());
select tasker.set_limit('test', 'one', 1);
select pg_temp.born('roots');

select from tasker.create_task('test', 'two', p_start_at => tasker.clock() + interval '1 minute');
select tasker_test.pass('2 minutes');
select pg_temp.born('roots of a task that starts later');

select from tasker.create_task('test', 'two', p_deferred => true);
select pg_temp.born('roots of a task that an orchestrator starts');

select tasker.set_schedule('test', 'tick', 'two', '* * * * *');
select tasker_test.pass('1 minute');
select tasker.fire_due_timers(1);
select tasker.delete_schedule('test', 'tick');
select pg_temp.born('roots of a schedule''s task');

select pg_temp.make('below', '[{"name": "up"}]' || pg_temp.two('{"dependencies": ["up"]}'));
select tasker_test.run('up');
select pg_temp.born('steps below another');

select pg_temp.make('waits', '[{"name": "up", "await": {"signal": "go"}}]' || pg_temp.two('{"dependencies": ["up"]}'));
select tasker_test.signal('go');
select pg_temp.born('steps below a wait');

select pg_temp.make('grows', '[{"name": "up"}]');
select from tasker.add_steps(tasker_test.the_task(), pg_temp.two());
select pg_temp.born('added steps');

select pg_temp.make('maps', jsonb_build_array((pg_temp.two() -> 0) || '{"for_each": "$.lines"}'));
select pg_temp.born('instances of a map');

select pg_temp.make('starts', '[{"name": "up", "task": {"name": "two"}}]');
select pg_temp.born('roots of a child');

select pg_temp.make('starts_map', '[{"name": "up", "task": {"name": "maps"}}]');
select pg_temp.born('instances of a child''s map');

select pg_temp.make('starts_child', '[{"name": "up", "task": {"name": "starts"}}]');
select pg_temp.born('roots of a child''s child');

select pg_temp.make('starts', '[{"name": "up", "task": {"name": "two"}}]');
select pg_temp.due();
select tasker.cancel_task(s.child_task_uuid) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task();
select pg_temp.due();
select tasker.retry_step(tasker_test.the_step('up'));
select pg_temp.born('roots of a child that replaces a cancelled one');

select pg_temp.make('below', '[{"name": "up"}]' || pg_temp.two('{"dependencies": ["up"]}'));
select tasker_test.run('up');
select tasker.fork_task(tasker_test.the_task(), 'a', p_cancel => true);
select pg_temp.born('steps of a fork');

select pg_temp.make('maps_too', jsonb_build_array((pg_temp.two() -> 0) || '{"for_each": "$.lines"}', '{"name": "other"}'::jsonb));
select pg_temp.due();
select tasker.fork_task(tasker_test.the_task(), 'other', p_cancel => true);
select pg_temp.born('instances of a fork''s map');

-- The next version of the map has another limit, with a key of the element.
select pg_temp.make('keys', jsonb_build_array((pg_temp.two() -> 0) || '{"for_each": "$.lines"}', '{"name": "other"}'::jsonb));
select pg_temp.due();
select tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', 'keys', 'version', '2.0.0', 'steps', jsonb_build_array(
  (pg_temp.two() -> 0) || '{"for_each": "$.lines", "limit": "each", "limit_key": "$inputs.element"}', '{"name": "other"}'::jsonb)));
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'other', '2.0.0')::text, true);
select is(
  (select string_agg(q.lane || ' ' || q.limit_key, ', ' order by q.step_no) from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() and q.limit_no is not null),
  'limited 1, limited 2', 'each instance of a fork''s map has the key of the new version'
);
select tasker_test.end_tasks();

select from tasker.create_task('test', 'two');
select pg_temp.take();
select from pg_temp.taken() as t cross join lateral tasker.fail_steps(t.uuids, t.claims, '{no,no}', '{false,false}');
select tasker_test.pass('1 hour');
select pg_temp.born('steps that are tried again');

select tasker_test.create_task('two');
select pg_temp.take();
select from pg_temp.taken() as t cross join lateral tasker.fail_steps(t.uuids, t.claims, '{no,no}', '{true,true}');
select tasker.reset_task(tasker_test.the_task());
select pg_temp.born('steps of a task that is reset');

select from tasker.create_task('test', 'two');
select pg_temp.take();
select from pg_temp.taken() as t cross join lateral tasker.release_steps(t.uuids, t.claims);
select pg_temp.born('steps that a worker returns');

select from tasker.create_task('test', 'two');
select pg_temp.take(1);
select tasker_test.pass('1 hour');
select from tasker.claim_steps('{test}', gen_random_uuid(), 10, p_handlers => '{other}');
select pg_temp.born('steps of a lost worker');

select tasker_test.create_task('two');
select pg_temp.take();
select from pg_temp.taken() as t cross join unnest(t.uuids, t.claims) as u (step, claim)
 cross join lateral tasker.suspend_step(u.step, u.claim, 1, '$sleep', 1, '{"await": [{"for": 60}]}');
select tasker_test.pass('1 hour');
select pg_temp.born('functions that have waited');

select pg_temp.make('pgmq', pg_temp.two());
select pg_temp.take();
select from pg_temp.taken() as t cross join unnest(t.uuids) as u (step)
 cross join lateral tasker.transition_step_state_atomic(u.step, 'in_progress', 'enqueued_as_error_for_orchestration', null, '{"error": "no"}');
select pg_temp.due();
select tasker_test.pass('1 hour');
select pg_temp.born('steps whose failure an orchestrator records');

select tasker_test.pass('1 minute');
select is_empty($$ select format('%s %s', s.name, q.lane) from tasker.step_queue as q join tasker.workflow_steps as s using (task_uuid, step_no) where s.limit_no is not null $$, 'nothing is left of them');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
