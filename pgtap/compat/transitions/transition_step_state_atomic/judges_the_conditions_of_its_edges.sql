-- One parent, and a child for each condition.
begin;
select plan(14);

select tasker_test.register(
  'choice', 'decide', 'always decide', 'large decide', 'small decide', 'approved decide', 'first decide', 'named decide', 'broken decide'
);
update tasker.named_task_edges as e
   set condition = c.condition::jsonpath
  from (values
    ('large',    '$.amount > 100'),
    ('small',    '$.amount <= 100'),
    ('approved', '$.approved'),
    ('first',    '$[0] == "yes"'),
    ('named',    'exists ($.name)'),
    ('broken',   '$.amount / $.by > 1')
  ) as c (name, condition)
  join tasker.named_tasks_named_steps as s
    on s.step_name = c.name
 where e.named_task_uuid = s.named_task_uuid
   and e.to_step_no = s.step_no;

prepare satisfied as
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.satisfied_parents = 1;

create function pg_temp.decide(p_results text)
  returns void
  language plpgsql
as $$
begin
  perform tasker_test.start_task('choice');
  perform tasker_test.complete_step(tasker_test.the_step('decide'), p_results::jsonb);
end;
$$;

select pg_temp.decide('{"amount": 250, "approved": true, "by": 2}');
select set_eq('satisfied', array['always', 'large', 'approved', 'broken'], 'conditions of a large, approved amount hold');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.decide('{"amount": 50, "approved": false, "name": null, "by": 0}');
select set_eq(
  'satisfied',
  array['always', 'small', 'named'], 'conditions of a small amount hold, and a division by zero does not'
);

select pg_temp.decide('{"amount": "250", "approved": "true"}');
select set_eq('satisfied', array['always'], 'conditions on numbers and booleans do not hold for texts');

select pg_temp.decide('{}');
select set_eq('satisfied', array['always'], 'no condition holds for missing fields');

select pg_temp.decide('["yes"]');
select set_eq('satisfied', array['always', 'first'], 'conditions can use an array');

select pg_temp.decide('["no", {"amount": 250}]');
select set_eq('satisfied', array['always', 'large'], 'conditions search arrays as jsonpath does');

select pg_temp.decide('null');
select set_eq('satisfied', array['always'], 'no condition holds for a null result');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.start_task('choice');
select tasker_test.move_step(tasker_test.the_step('decide'), 'resolved_manually');
select set_eq('satisfied', array['always'], 'no condition holds for a step that was resolved by hand');

select tasker_test.start_task('choice');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('decide'), 'enqueued', 'complete', null, '{"results": {"amount": 101}}'
);
select set_eq('satisfied', array['always', 'large'], 'conditions use a result that was entered by hand');

select tasker_test.start_task('choice');
select tasker_test.move_step(tasker_test.the_step('decide'), 'cancelled');
select is_empty('satisfied', 'a cancelled parent satisfies no child');
select is(
  (
    select count(*)
      from tasker.workflow_steps as s
     where s.task_uuid = tasker_test.the_task()
       and s.pending_parents > 0
  ),
  0::bigint,
  'no child waits for a cancelled parent'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
