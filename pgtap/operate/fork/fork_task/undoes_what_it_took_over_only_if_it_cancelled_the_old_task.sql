begin;
select plan(22);

create function pg_temp.fork(p_from text, p_cancel boolean, p_version text default null) returns text language plpgsql as $$
begin
  perform set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), p_from, p_version, p_cancel => p_cancel)::text, true);
  return tasker_test.states();
end;
$$;
-- The compensations of a task that is cancelled: the steps that they undo, level by level, and whether the UUID is that of the effect.
create function pg_temp.undone() returns text language plpgsql as $$
declare
  v_all  text;
  v_some text;
begin
  perform tasker.cancel_task(tasker_test.the_task()) where not (select t.complete from tasker.tasks as t where t.task_uuid = tasker_test.the_task());
  loop
    perform tasker.fire_due_timers(1000) from generate_series(1, 5);
    select string_agg(format('%s of %s', c.inputs ->> 'step', e.word), ', ' order by c.name)
      into v_some
      from tasker.claim_steps('{test}', gen_random_uuid(), 100, p_handlers => array(select h.name from tasker.named_steps as h where h.name like 'undo%')) as c
      left join effects as e on e.step_uuid = (c.inputs ->> 'step_uuid')::uuid;
    exit when v_some is null;
    v_all := concat_ws('; ', v_all, v_some);
    perform tasker.complete_steps(array_agg(s.workflow_step_uuid), array_agg(s.claim_no)) from tasker.workflow_steps as s where s.state = 'in_progress' and s.undo_no is not null;
  end loop;
  return coalesce(v_all, 'nothing');
end;
$$;
create temporary table effects (step_uuid uuid primary key, word text);
create function pg_temp.does(p_word text, variadic p_names text[]) returns void language plpgsql as $$
begin
  perform tasker_test.run(variadic p_names);
  insert into effects select tasker_test.the_step(n), p_word from unnest(p_names) as n;
end;
$$;
create function pg_temp.trip() returns void language sql as $$
  select set_config('tasker_test.old', tasker_test.create_undoable('trip', '{flight!,pay! flight,mail pay}')::text, true);
$$;
create function pg_temp.old() returns text language sql as $$
  select set_config('tasker_test.task', current_setting('tasker_test.old'), true);
$$;

select tasker_test.freeze();
select pg_temp.trip();
select pg_temp.does('A', 'flight');
select pg_temp.fork('pay', false);
select pg_temp.does('B', 'pay');
select matches(
  (select x.summary from tasker.explain_step(tasker_test.the_step('flight')) as x), format('Task %s undoes it', current_setting('tasker_test.old')),
  'explain_step names the task that undoes what a fork took over'
);
select is(pg_temp.undone(), 'pay of B', 'a fork that does not cancel the old task undoes what it ran itself');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.old();
select is(pg_temp.undone(), 'flight of A', 'the old task undoes what it did');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.trip();
select pg_temp.does('A', 'flight', 'pay', 'mail');
select pg_temp.fork('mail', true);
select is(pg_temp.undone(), 'nothing', 'the cancellation of a fork pays nothing back that a complete task paid');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.trip();
select pg_temp.does('A', 'flight');
select pg_temp.fork('pay', true);
select pg_temp.does('B', 'pay');
select pg_temp.fork('mail', true);
select is(pg_temp.undone(), 'pay of B; flight of A', 'a fork that cancels the old task owns its effects, under their own UUIDs, through a chain of forks');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select pg_temp.old();
select is(tasker_test.states(), 'cancelled: flight=complete pay=cancelled mail=cancelled', 'the old task has undone nothing');

select pg_temp.trip();
select pg_temp.does('A', 'flight');
select pg_temp.fork('pay', false);
select pg_temp.does('B', 'pay');
select pg_temp.fork('mail', true);
select is(pg_temp.undone(), 'pay of B', 'a fork owns what the task that it cancels owned, and no more');
select pg_temp.old();
select pg_temp.fork('mail', true);
select is(pg_temp.undone(), 'flight of A', 'another fork that cancels the first task owns the effect of that one');
select pg_temp.old();
select pg_temp.fork('mail', true);
select is(tasker_test.states(), 'steps_in_process: flight=enqueued pay=pending mail=pending', 'what the other fork has undone runs again');
select is(pg_temp.undone(), 'nothing', 'a fork of a cancelled task owns nothing');

-- Resolved by hand: the UUID is all that its compensation has.
select pg_temp.trip();
select tasker_test.claim('flight');
select tasker_test.fail_for_good('flight');
insert into effects select tasker_test.the_step('flight'), 'A';
select tasker.resolve_step_manually(tasker_test.the_step('flight'));
select pg_temp.fork('pay', true);
select is(pg_temp.undone(), 'flight of A', 'the compensation of a resolved step gets the UUID of the claimed one');

-- A new version that undoes what the old one did not.
select pg_temp.trip();
select from tasker.register_task_template('{"namespace": "test", "name": "trip", "version": "2.0.0", "steps": [{"name": "flight", "compensate": "undo_flight"},
  {"name": "pay", "dependencies": ["flight"]}, {"name": "mail", "dependencies": ["pay"], "compensate": "undo_mail"}, {"name": "bye", "dependencies": ["mail"]}]}');
select pg_temp.does('A', 'flight', 'pay', 'mail');
select pg_temp.fork('bye', true, '2.0.0');
select is(pg_temp.undone(), 'nothing', 'the task had ended');
select tasker_test.create_undoable('long', '{a,b a,c! b,d c}');
select from tasker.register_task_template('{"namespace": "test", "name": "long", "version": "2.0.0", "steps": [{"name": "a", "compensate": "undo_a"},
  {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["b"]}, {"name": "d", "dependencies": ["c"]}]}');
select pg_temp.does('A', 'a', 'b', 'c');
select pg_temp.fork('d', true, '2.0.0');
select is(pg_temp.undone(), 'a of A', 'the new version says what is undone');

-- Maps and children.
select tasker_test.create_waiting('all', '[{"name": "line", "for_each": "$.lines", "compensate": "undo_line"}, {"name": "sum", "dependencies": ["line"]}]', '{}', '{"lines": [7, 8]}');
select tasker_test.expand();
select pg_temp.does('A', 'line[0]', 'line[1]');
select tasker_test.expand();
select pg_temp.fork('sum', false);
select is(pg_temp.undone(), 'nothing', 'elements that a fork took over belong to the old task');
select set_config('tasker_test.task', t.task_uuid::text, true) from tasker.tasks as t join tasker.named_tasks as k using (named_task_uuid) where k.name = 'all' and not t.complete;
select pg_temp.fork('sum', true);
select is(pg_temp.undone(), 'line[0] of A, line[1] of A', 'they are undone by the fork that owns them');

select from tasker.register_task_template('{"namespace": "test", "name": "child", "identity_strategy": "always_unique", "steps": []}');
select tasker_test.create_waiting('parent', '[{"name": "kid", "task": {"name": "child"}, "compensate": "undo_kid"}, {"name": "after", "dependencies": ["kid"]}]');
select tasker_test.expand();
select tasker_test.expand();
select set_config('tasker_test.child', s.child_task_uuid::text, true) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'kid';
select pg_temp.fork('after', true);
select pg_temp.fork('after', true);
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.expand();
select tasker_test.expand();
select is(
  (select c.inputs ->> 'child_task_uuid' from tasker.claim_steps('{test}', gen_random_uuid(), 100) as c), current_setting('tasker_test.child'),
  'the compensation of a step that started a task gets that task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
