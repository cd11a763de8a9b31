-- The same, however it is written, is the same template.
begin;
select plan(3);

select is(
  (select r.created from tasker.register_task_template('{"namespace": "n", "name": "t", "steps": [
    {"name": "a", "await": {"signal": "go", "when": "$.a   ==  1", "schema": {"enum": [null]}}, "timeout": "3d"}]}') as r),
  true, 'the template is registered'
);
select is(
  (select r.created from tasker.register_task_template('{"namespace": "n", "name": "t", "steps": [
    {"name": "a", "await": [{"signal": "go", "when": "$.a == 1", "schema": {"enum": [null]}, "for": null}], "timeout": 259200.0,
     "on_timeout": "fail", "dependencies": [], "join": "all"}]}') as r),
  false, 'the same template in other words is not registered again'
);
select is(
  (select t.template -> 'steps' from tasker.get_task_template('n', 't') as t),
  '[{"await": [{"when": "($.\"a\" == 1)", "schema": {"enum": [null]}, "signal": "go"}], "dependencies": [], "join": "all",
     "name": "a", "on_timeout": "fail", "timeout": 259200}]'::jsonb, 'the template is stored in its normal form'
);

select * from finish();
rollback;
