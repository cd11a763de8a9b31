begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('one', 'charge');
select tasker.register_task_template('{"namespace": "elsewhere", "name": "one", "version": "1", "steps": [{"name": "charge"}]}');
select tasker_test.launch('one');
select t.task_uuid as other from tasker.create_task('elsewhere', 'one', '{}') as t \gset
select selection_uuid as both from tasker.create_selection('tasks', '{"name": "one"}') \gset
select tasker.start_mass_action(:'both', 'cancel', 2, 'test');
select set_config('tasker.namespaces', 'test', true);

select results_eq($$ select s.entries, s.namespaces from tasker.create_selection('tasks', '{"name": "one"}') as s $$, $$ values (1, '{test}'::text[]) $$, 'a bound caller selects what it sees');
select throws_like(format('select tasker.create_selection(%L, null, p_ids => array[%L::uuid])', 'tasks', :'other'), '%may not work in namespace "elsewhere"', 'a task of another namespace cannot be named');
select throws_ok(format('select tasker.get_selection(%L)', :'both'), 'TK404', format('there is no selection %s', :'both'), 'nor is a selection of both shown');
select throws_ok(format('select tasker.list_selection_entries(%L)', :'both'), 'TK404', format('there is no selection %s', :'both'), 'nor its entries');
select throws_ok(format('select tasker.get_mass_action(%L)', :'both'), 'TK404', format('selection %s has no mass action', :'both'), 'nor its mass action');
select is_empty('select tasker.list_mass_actions()', 'nor in the list');
select throws_ok(format('select tasker.stop_mass_action(%L)', :'both'), 'TK404', format('selection %s has no mass action', :'both'), 'nor can it be stopped');
select throws_ok(format('select tasker.resume_mass_action(%L)', :'both'), 'TK404', format('selection %s has no mass action', :'both'), 'or resumed');

select * from finish();
rollback;
