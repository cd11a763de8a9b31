begin;
select plan(7);

select tasker_test.take_turn();
select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "bank", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.register_task_template('{"namespace": "shop", "name": "pack", "identity_strategy": "always_unique", "steps": [{"name": "pay", "task": {"namespace": "bank", "name": "pay"}}]}');
select from tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "pack", "task": {"name": "pack"}}]}');

create function pg_temp.in_bank()
  returns bigint
  language sql
begin atomic
  select count(*) from tasker.tasks as t join tasker.named_tasks as k using (named_task_uuid) where k.name = 'pay';
end;

-- A token sets this setting in its transactions.
set local tasker.namespaces = 'shop';
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}') as c), true);
set local tasker.namespaces = '*';
select tasker.fire_due_timers() from generate_series(1, 3);
select results_eq(
  $$ select n.name, n.state::text from tasker.get_task_tree(tasker_test.the_task()) as n order by n.name $$,
  $$ values ('order', 'waiting_for_dependencies'), ('pack', 'blocked_by_failures') $$,
  'the task of a restricted session starts tasks in its namespaces'
);
select is(
  (select s.last_error from tasker.workflow_steps as s where s.name = 'pay'),
  'the session that created the task, or its schedule, may not work in namespace "bank"',
  'no task below it starts one in another namespace, whichever session fires the note'
);

-- The schedule of a restricted session makes tasks with its rights, not with those of the session that finds them due.
set local tasker.namespaces = 'shop';
select from tasker.set_schedule('shop', 'often', 'order', p_every_seconds => 60);
set local tasker.namespaces = '*';
select tasker_test.pass('61 seconds');
select tasker.fire_due_timers() from generate_series(1, 4);
select is(pg_temp.in_bank(), 0::bigint, 'the tasks of its schedule start none in another namespace, either');
select from tasker.run_schedule_now('shop', 'often');
select tasker.fire_due_timers() from generate_series(1, 4);
select is(pg_temp.in_bank(), 0::bigint, 'nor does a task that another session makes of the schedule');

-- The same schedule, set without a restriction.
select from tasker.set_schedule('shop', 'often', 'order', p_every_seconds => 60);
set local tasker.namespaces = 'shop';
select from tasker.run_schedule_now('shop', 'often');
set local tasker.namespaces = '*';
select tasker.fire_due_timers() from generate_series(1, 4);
select is(pg_temp.in_bank(), 0::bigint, 'a task that a restricted session makes of any schedule has its rights');
select tasker_test.pass('61 seconds');
set local tasker.namespaces = 'shop';
select from tasker.claim_steps('{shop}', gen_random_uuid()) right join generate_series(1, 4) on true;
set local tasker.namespaces = '*';
select tasker.fire_due_timers() from generate_series(1, 4);
select is(pg_temp.in_bank(), 1::bigint, 'a tick of a schedule that was set without a restriction starts tasks anywhere, whichever session fires it');

-- What else takes its rights from the session.
set local tasker.namespaces = 'shop';
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}', p_identity_key => 'k', p_debounce_seconds => 5) as c), true);
set local tasker.namespaces = '*';
select is((select t.creator_namespaces from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), '{shop}', 'a debounced task has the rights of its session');

select * from finish();
rollback;
