begin;
select plan(11);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "one", "steps": [{"name": "b"}]}');
select c.task_uuid as bank from tasker.create_task('bank', 'one', '{"secret": true}') as c \gset
create role tap_bound;
grant tasker_submitter, tasker_operator, tasker_reader to tap_bound;
select tasker.bind_role('tap_bound', '{shop}');
select tasker_test.remember_rows();

set local role tap_bound;
select throws_ok($$ select tasker.create_task('bank', 'one', '{}') $$, 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'the role cannot create a task in another namespace');
select throws_ok(format('select tasker.get_task(%L)', :'bank'), 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'the role cannot read a task of another namespace');
select throws_ok(format('select tasker.add_steps(%L, ''[{"name": "evil"}]'')', :'bank'), 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'the role cannot add a step to a task of another namespace');
select throws_ok(format('select tasker.cancel_task(%L)', :'bank'), 'TK403', 'role "tap_bound" may not work in namespace "bank"', 'the role cannot cancel a task of another namespace');
select throws_ok($$ select tasker.bind_role('tap_bound', null) $$, 'TK403', 'role "tap_bound" may not make calls that concern all namespaces', 'the role cannot remove its own binding');
select throws_ok($$ select tasker.set_setting('lease_seconds', '1') $$, 'TK403', 'role "tap_bound" may not make calls that concern all namespaces', 'the role cannot change a setting');
select is_empty('select from tasker.list_tasks()', 'list_tasks returns no task of another namespace');
select is_empty('select from tasker.task_transitions', 'a view returns no row of another namespace');
select is((select h.total_tasks from tasker.get_system_health_counts() as h), 0::bigint, 'health counts no task of another namespace');
reset role;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

set local role tap_bound;
select results_eq($$ select c.created from tasker.create_task('shop', 'one', '{}') as c $$, 'values (true)', 'the role creates a task in its own namespace');
reset role;

select * from finish();
rollback;
