-- A version that leaves out steps of an earlier one has gaps in its numbers.
begin;
select plan(2);

select tasker_test.take_turn();

select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "1", "steps": [{"name": "reserve"}, {"name": "charge"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2", "steps": [{"name": "charge"}, {"name": "ship"}]}');
select c.task_uuid as task from tasker.create_task('test', 'order', '{}', '2') as c \gset
prepare added as
  select s.step_no, s.name, s.created
    from tasker.add_steps(:'task', '[{"name": "ship"}, {"name": "mail", "dependencies": ["ship"]}, {"name": "charge"}]') as s;
select results_eq('added', $$ values (3, 'ship', false), (4, 'mail', true), (2, 'charge', false) $$, 'the new step is created, the others exist');
select results_eq('added', $$ values (3, 'ship', false), (4, 'mail', false), (2, 'charge', false) $$, 'a repeat creates none');

select * from finish();
rollback;
