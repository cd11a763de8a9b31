begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "one", "name": "pair", "steps": [{"name": "a"}, {"name": "b", "priority": 1, "dependencies": ["a"]}]}');
select tasker.register_task_template('{"namespace": "two", "name": "pair", "steps": [{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "when": "$.go == true"}]}]}');
select count(*) from unnest('{one,two}'::text[]) as u (name) cross join lateral tasker.create_tasks(u.name, 'pair', '{"{\"n\": 1}","{\"n\": 2}"}');
create temporary table claimed as select c.* from tasker.claim_steps('{one,two}', tasker_test.worker(), 10) as c;
select is(
  (select array_agg(a.answer::text) from (select array_agg(c.step_uuid) as s, array_agg(c.claim_no) as n, array_agg(jsonb_build_object('go', c.context -> 'n' = '1')) as r from claimed as c) as x
    cross join lateral tasker.complete_steps(x.s, x.n, x.r) as a),
  '{completed,completed,completed,completed}', 'one call completes steps of four tasks in two namespaces'
);
select results_eq(
  $$ select c.namespace, (c.context ->> 'n')::integer, s.state::text, q.namespace, q.lane::text
       from claimed as c join tasker.workflow_steps as s on s.task_uuid = c.task_uuid and s.step_no = 2
       left join tasker.step_queue as q on q.task_uuid = s.task_uuid and q.step_no = 2 order by 1, 2 $$,
  $$ values ('one', 1, 'enqueued', 'one', 'high'), ('one', 2, 'enqueued', 'one', 'high'),
            ('two', 1, 'enqueued', 'two', 'normal'), ('two', 2, 'cancelled', null, null) $$,
  'each child is enqueued in its own namespace and lane, or skipped'
);
select is_empty('select v from claimed as c cross join lateral tasker_test.violations(c.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
