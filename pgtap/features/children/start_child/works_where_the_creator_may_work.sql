begin;
select plan(12);

select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "bank", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.register_namespace('shop');
create role tap_shop;
grant tasker_submitter, tasker_operator, tasker_worker to tap_shop;
select tasker.bind_role('tap_shop', '{shop}');

-- At registration the caller counts.
set local role tap_shop;
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "shop", "name": "order", "steps": [{"name": "pay", "task": {"namespace": "bank", "name": "pay"}}]}') $$,
  'TK403', 'role "tap_shop" may not work in namespace "bank"', 'a template may not start tasks in a namespace that its registrant may not work in'
);
select lives_ok(
  $$ select tasker.register_task_template('{"namespace": "shop", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}') $$, 'a bound role may register templates in its own namespace'
);
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'plain', '{}') as c), true);
select throws_ok(
  $$ select tasker.add_steps(tasker_test.the_task(), '[{"name": "pay", "task": {"namespace": "bank", "name": "pay"}}]') $$,
  'TK403', 'role "tap_shop" may not work in namespace "bank"', 'added steps may not start tasks in such a namespace, either'
);
reset role;

-- At the start it is who created the task.
select from tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "pay", "task": {"namespace": "bank", "name": "pay"}}]}');
set local role tap_shop;
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}') as c), true);
reset role;
select tasker.fire_due_timers();
select results_eq(
  $$ select s.state::text, s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() $$,
  $$ values ('error', 'the session that created the task, or its schedule, may not work in namespace "bank"') $$,
  'the task of a bound role starts no task in another namespace'
);
select is_empty($$ select tasker_test.violations() $$, 'every invariant holds');

-- A role that is bound after it created the task.
create role tap_free in role tasker_submitter;
set local role tap_free;
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}') as c), true);
reset role;
select tasker.bind_role('tap_free', '{shop}');
select tasker.fire_due_timers();
select is(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()),
  '"tap_free", which created the task, is not bound to namespace "bank"', 'a binding that was made later counts, too'
);

-- Another role that has the name of the creator by now.
set local role tap_shop;
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}') as c), true);
reset role;
alter role tap_shop rename to tap_old;
create role tap_shop in role tasker_submitter;
select tasker.fire_due_timers();
select is(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()),
  'the session that created the task, or its schedule, may not work in namespace "bank"', 'an unbound role that gets the name of the creator lifts nothing'
);
select is(
  (select t.creator_namespaces from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), '{shop}', 'the task keeps what its creator was bound to'
);
drop role tap_shop;
alter role tap_old rename to tap_shop;

select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shop', 'order', '{}') as c), true);
-- Whichever worker fires the note.
set local role tap_shop;
select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 1);
select is(
  (select string_agg(n.name, ' ') from tasker.get_task_tree(tasker_test.the_task()) as n), 'order',
  'a bound caller sees only the tasks of its namespaces'
);
select matches(
  (select e.summary from tasker.explain_step(tasker.step_uuid(tasker_test.the_task(), 1)) as e),
  '^It waits for a task "pay" of a namespace that you are not bound to', 'explain_step tells a bound caller nothing of other namespaces'
);
reset role;
select is((select string_agg(n.name, ' ') from tasker.get_task_tree(tasker_test.the_task()) as n), 'order pay', 'the task of an unbound role starts its task');
select is((select t.role is null from tasker.tasks as t where t.parent_step_uuid = tasker.step_uuid(tasker_test.the_task(), 1)), true, 'the child has the role of the creator of the first task');

select * from finish();
rollback;
