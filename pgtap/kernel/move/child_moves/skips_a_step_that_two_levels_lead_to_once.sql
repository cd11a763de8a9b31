begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "ladder", "steps": [
  {"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "when": "$.go == true"}]},
  {"name": "c", "dependencies": [{"step": "a", "when": "$.go == true"}, "b"]},
  {"name": "d", "dependencies": ["a", "b", "c"]}, {"name": "e", "join": "settled", "dependencies": ["a", "b", "c", "d"]}
]}');
select tasker_test.launch('ladder');
select from tasker_test.claim();
select tasker_test.complete('a');
select is(tasker_test.the_steps(), 'a complete, b cancelled, c cancelled, d cancelled, e enqueued', 'three steps are skipped and the last one runs');
select is((select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.event = 'Skip'), 3::bigint, 'each step is skipped once');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
