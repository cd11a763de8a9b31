begin;
select plan(8);

select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "test", "name": "parcel", "steps": [
  {"name": "pack"}, {"name": "weigh", "dependencies": ["pack"]}, {"name": "label", "dependencies": ["pack"]}
]}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "steps": [
  {"name": "pick"},
  {"name": "ship", "dependencies": ["pick"], "task": {"name": "parcel", "context": {"order": "$.no", "lines": {"step": "pick", "path": "$.lines"}, "express": true, "none": "$.none", "text": {"value": "$.no"}}}},
  {"name": "bill", "dependencies": ["ship"]}
]}');
select tasker_test.create_task('order');
create function pg_temp.child() returns uuid language sql as $$
  select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'ship';
$$;

select tasker_test.claim('pick');
select tasker_test.finish('pick', '{"lines": [1, 2]}');
select is(pg_temp.child(), null, 'the step waits, and a note asks to start its task');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 1)), 1::bigint, 'a claim starts the child and gets its first step');
select results_eq(
  $$ select t.context - 'no', t.context ->> 'order' = p.context ->> 'no', t.depth, t.parent_step_uuid, t.parent_correlation_id
       from tasker.tasks as t, tasker.tasks as p where t.task_uuid = pg_temp.child() and p.task_uuid = tasker_test.the_task() $$,
  $$ select jsonb_build_object('order', t.context -> 'no', 'lines', '[1, 2]'::jsonb, 'express', true, 'text', '$.no'), true, 1, tasker_test.the_step('ship'), t.correlation_id
       from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  'the child''s context comes from the parent''s context and results'
);
select set_config('tasker_test.parent', tasker_test.the_task()::text, true);
select set_config('tasker_test.task', pg_temp.child()::text, true);
select tasker_test.finish('pack');
select tasker_test.run('weigh');
select tasker_test.claim('label');
select tasker_test.finish('label', '{"code": "x"}');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'the child completes');
select is_empty($$ select tasker_test.violations() $$, 'every invariant of the child holds');

select set_config('tasker_test.task', current_setting('tasker_test.parent'), true);
select is((select array_agg(c.name) from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c), '{bill}', 'a claim notifies the parent, and gets the next step');
select is(
  (select s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'ship'),
  '{"weigh": {}, "label": {"code": "x"}}', 'the step''s result has the results of the child''s last steps by name'
);
select is_empty($$ select tasker_test.violations() union all select format('%s', m) from tasker.timers as m $$, 'every invariant holds, and no note is left');

select * from finish();
rollback;
