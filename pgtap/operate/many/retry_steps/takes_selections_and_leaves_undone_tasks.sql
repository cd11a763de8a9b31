begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.fail_orders(3);
select s.selection_uuid as set
  from tasker.create_selection('steps', null, (
    select array_agg(tasker.step_uuid(f.task_uuid, f.step_no))
      from (select f.* from tasker.workflow_steps as f where f.state = 'error' order by f.task_uuid limit 2) as f
  )) as s \gset
select is((select array_agg(r.outcome) from tasker.retry_steps('x', p_selection_uuid => :'set', p_limit => 1) as r), '{retried}', 'a selection is retried in batches');
select is((select array_agg(r.outcome) from tasker.retry_steps('x', p_selection_uuid => :'set') as r), '{retried}', 'the rest of a selection is retried');
select is((select count(*) from tasker.workflow_steps as s where s.state = 'error'), 1::bigint, 'a failed step that the selection does not have stays failed');

select tasker.register_task_template('{"namespace": "test", "name": "trip", "identity_strategy": "always_unique", "steps": [
  {"name": "book", "compensate": "unbook"}, {"name": "pay", "dependencies": ["book"]}]}');
select tasker_test.launch('trip');
select tasker_test.claim(10);
select tasker_test.complete('book');
select tasker_test.claim(10);
select tasker_test.fail('pay', p_permanent => true);
select tasker.give_up_task(tasker_test.the_task());
select is_empty(
  $$ select from tasker.retry_steps('x', p_name => 'trip', p_dry_run => true) $$, 'a failed step of a task that is being undone is left alone'
);
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.retry_steps('x', p_step => 'charge') $$, 'a bound role finds no step of another namespace');
reset role;
select is((select count(*) from tasker.workflow_steps as s where s.state = 'error' and s.name = 'charge'), 1::bigint, 'the step of the other namespace is unchanged');

select * from finish();
rollback;
