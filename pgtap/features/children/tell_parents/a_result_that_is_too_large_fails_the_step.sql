begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.family(p_child => '{"steps": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}');
select tasker.set_setting('result_bytes', '100');
select tasker_test.fire_notes();
select tasker_test.child();
select from tasker_test.claim();
select is(tasker_test.complete(n, to_jsonb(repeat('x', 50))), 'completed', 'step ' || n || ' of the child completes')
  from unnest('{a,b,c}'::text[]) as n;
select tasker_test.fire_notes();
select tasker_test.parent();
select is(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.child_task_uuid is not null),
  format('the results of task %s have more than 100 bytes, the setting "result_bytes"', (
    select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.child_task_uuid is not null
  )), 'the step that waited for it fails'
);
select is(
  tasker.task_result((select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.child_task_uuid is not null), 1000)
    - 'a' - 'b', jsonb_build_object('c', repeat('x', 50)), 'a result within the limit has all its parts'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
