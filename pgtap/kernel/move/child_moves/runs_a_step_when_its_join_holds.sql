begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "joins", "steps": [
  {"name": "a"}, {"name": "b"},
  {"name": "all", "dependencies": [{"step": "a", "when": "$.go == true"}, {"step": "b", "when": "$.go == true"}]},
  {"name": "any", "join": "any", "dependencies": [{"step": "a", "when": "$.go == true"}, {"step": "b", "when": "$.go == true"}]},
  {"name": "settled", "join": "settled", "dependencies": [{"step": "a", "when": "$.go == true"}, {"step": "b", "when": "$.go == true"}]}
]}');
create function pg_temp.run(p_a jsonb, p_b jsonb) returns text language plpgsql as $$
begin
  perform tasker_test.launch('joins');
  perform from tasker_test.claim();
  perform tasker_test.complete('a', p_a);
  perform tasker_test.complete('b', p_b);
  return (select string_agg(s.name || ' ' || s.state, ', ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.step_no > 2)
    || coalesce((select string_agg('; ' || v, '') from tasker_test.violations() as v), '');
end;
$$;
select is(pg_temp.run('{"go": true}', '{"go": true}'), 'all enqueued, any enqueued, settled enqueued', 'every child runs if both edges hold');
select is(pg_temp.run('{"go": true}', '{"go": false}'), 'all cancelled, any enqueued, settled enqueued', 'all is skipped if one of two edges holds');
select is(pg_temp.run('{"go": "true"}', '[]'), 'all cancelled, any cancelled, settled enqueued', 'only settled runs if both results have a wrong type');
select is(pg_temp.run('{}', null), 'all cancelled, any cancelled, settled enqueued', 'only settled runs if both results lack the value');

select * from finish();
rollback;
