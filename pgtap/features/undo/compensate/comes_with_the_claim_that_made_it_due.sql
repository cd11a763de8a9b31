begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template(
  '{"namespace": "test", "name": "order", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
    {"name": "book", "compensate": "unbook"}, {"name": "pay", "dependencies": ["book"], "compensate": "refund"},
    {"name": "ship", "dependencies": ["pay"]}]}'
);
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'order') as c), true);
select tasker_test.run('book');
select tasker_test.run('pay');
select tasker_test.claim('ship');

-- Calls claim what there is, so that each has as good a chance as the others; it returns the answers and what was claimed of the task.
create function pg_temp.exchange(p_failed text default null)
  returns text
  language sql
as $$
  select string_agg(coalesce(x.answer::text, x.handler), ', ')
    from (select) as one
    left join tasker.workflow_steps as s
      on s.name = p_failed and s.state = 'in_progress'
   cross join lateral tasker.exchange_steps(
     '00000000-0000-0000-0000-000000000001', array_remove(array[s.workflow_step_uuid], null), array_remove(array[s.claim_no], null),
     p_errors => array_remove(array[case when s.name is not null then 'no' end], null),
     p_permanent => array_remove(array[case when s.name is not null then true end], null),
     p_namespaces => '{test}', p_limit => 10
   ) as x
   where x.answer::text is not null
      or x.task_uuid = tasker_test.the_task()
$$;

select is(
  (select e.answer::text from tasker.fail_steps(array[tasker_test.the_step('ship')], array[tasker_test.claim_no('ship')], array['no'], array[true]) as e),
  'failed', 'a step fails for good'
);
select is(pg_temp.exchange(), 'refund', 'the next claim takes the first compensation');

-- In one exchange: the failure, and the compensation.
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'order') as c), true);
select tasker_test.run('book');
select tasker_test.run('pay');
select tasker_test.claim('ship');
select is(pg_temp.exchange('ship'), 'failed, refund', 'an exchange that brings the failure hands out the compensation');

-- A child that fails makes its parent fail.
select tasker.register_task_template(
  '{"namespace": "test", "name": "small", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [{"name": "try"}]}'
);
select tasker.register_task_template(
  '{"namespace": "test", "name": "large", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
    {"name": "book", "compensate": "unbook"}, {"name": "sub", "dependencies": ["book"], "task": {"name": "small"}}]}'
);
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'large') as c), true);
select tasker_test.run('book');
select pg_temp.exchange();
select is(pg_temp.exchange('try'), 'failed, unbook', 'an exchange that brings the failure of a child hands out what its parent undoes');

-- A claim fires deadlines.
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task(
  'test', 'order', p_deadline => tasker.clock() + interval '20 seconds'
) as c), true);
select tasker_test.run('book');
select tasker_test.pass('30 seconds');
select is(pg_temp.exchange(), 'unbook', 'the claim that ends a task by its deadline hands out its compensation');

select * from finish();
rollback;
