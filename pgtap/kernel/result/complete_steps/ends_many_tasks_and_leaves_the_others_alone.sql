begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.create_tasks('test', 'one', array_fill('{}'::jsonb, '{3}'), p_deadline => tasker.clock() + interval '1 hour');
create temporary table claimed as select c.* from tasker.claim_steps('{test}', tasker_test.worker(), 3) as c;
create temporary view others as select c.task_uuid from claimed as c order by c.task_uuid offset 2;

select results_eq(
  $$ select a.answer::text from (
       select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims from claimed as c where c.task_uuid not in (select o.task_uuid from others as o)
     ) as c cross join lateral tasker.complete_steps(c.steps, c.claims) as a $$,
  array['completed', 'completed'], 'the results of two of three tasks are accepted in one call'
);
select results_eq(
  'select t.state::text from tasker.tasks as t order by t.task_uuid', array['complete', 'complete', 'steps_in_process'], 'the two tasks complete, and the third runs'
);
select results_eq('select q.task_uuid from tasker.step_queue as q', 'select o.task_uuid from others as o', 'the step of the third task stays in the queue');
select results_eq('select m.task_uuid from tasker.timers as m', 'select o.task_uuid from others as o', 'its deadline stays, and those of the other two are deleted');
select is_empty('select v from claimed as c cross join lateral tasker_test.violations(c.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
