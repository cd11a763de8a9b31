begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "one", "steps": [{"name": "b"}]}');
select c.task_uuid as shop from tasker.create_task('shop', 'one', '{}') as c \gset
select c.task_uuid as bank from tasker.create_task('bank', 'one', '{}') as c \gset
create role tap_bound in role tasker_reader;
select ok(tasker.may_see_task(:'bank'), 'a role without a binding may see every task');
select tasker.bind_role('tap_bound', '{shop}');

set local role tap_bound;
select ok(tasker.may_see_task(:'shop'), 'a bound role may see a task of its namespace');
select ok(tasker.may_see_task(tasker.step_uuid(:'shop', 1)), 'a bound role may see the task of a step by the step''s UUID');
select ok(not tasker.may_see_task(:'bank'), 'a bound role may not see a task of another namespace');
select ok(not tasker.may_see_task('01980000-0000-7000-8000-000000000000'), 'a bound role may not see a task that does not exist');
reset role;

select * from finish();
rollback;
