-- These rules stand in the trigger of the insertion, and not in the CHECK, which runs for each update as well.
begin;
select plan(7);

select tasker_test.make_task();
create function pg_temp.insert_step(p_step_no integer, p_max_attempts integer, p_timeout_seconds integer) returns void language sql as $$
  insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, max_attempts, timeout_seconds)
  select
    s.task_uuid, p_step_no, coalesce(tasker.step_uuid(s.task_uuid, p_step_no), s.workflow_step_uuid), s.named_step_uuid, 'another',
    p_max_attempts, p_timeout_seconds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.step_no = 1
$$;

select lives_ok('select pg_temp.insert_step(9, 10000, 1)', 'a step that keeps all rules is inserted');
select throws_ok(
  format('select pg_temp.insert_step(%s)', c.arguments), '23514',
  format('new row for relation "workflow_steps" violates check constraint "workflow_steps_%s_check"', c.rule), c.what
)
  from (values
    ('10, 0, 1',     'attempts',        'a step without an attempt is refused'),
    ('10, 10001, 1', 'attempts',        'a step with more than 10,000 attempts is refused'),
    ('10, 1, 0',     'timeout_seconds', 'a step whose attempts take no time is refused')
  ) as c (arguments, rule, what);
select throws_ok(
  'select pg_temp.insert_step(65545, 3, 1)', 'TK422',
  format('a new step of task %s does not have the UUID of its key', tasker_test.the_task()), 'a number that no step''s UUID can have is refused'
);
select throws_ok(
  format('update tasker.workflow_steps set %s where task_uuid = tasker_test.the_task()', c.change),
  'TK403', 'rows of tasker.workflow_steps never change the columns that they were created with', c.what
)
  from (values
    ('max_attempts = 0', 'the attempts cannot be changed'),
    ('timeout_seconds = 0', 'the timeout cannot be changed')
  ) as c (change, what);

select * from finish();
rollback;
