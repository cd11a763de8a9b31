begin;
select plan(10);

-- Each pattern would take PostgreSQL longer than that to compile.
set local statement_timeout = '2s';
select tasker_test.take_turn();
create function pg_temp.problem_of(p_step jsonb)
  returns text
  language sql
as $$
  select p.hint
    from tasker.validate_task_template(jsonb_build_object(
      'namespace', 'n', 'name', 't', 'steps', jsonb_build_array('{"name": "a"}'::jsonb, '{"name": "b"}'::jsonb || p_step)
    )) as p;
$$;

select matches(pg_temp.problem_of(replace(s.step, 'PATH', '$.x ? (@ like_regex \"(((a?){30}){30})x\")')::jsonb), 'It has a regular expression that is too costly', s.step)
  from unnest(array[
    '{"dependencies": [{"step": "a", "when": "exists(PATH)"}]}',
    '{"limit": "l", "limit_key": "PATH"}',
    '{"limit": "l", "limit_key": "$inputs.y || PATH"}',
    '{"await": {"signal": "s", "when": "exists(PATH)"}}',
    '{"await": {"event": "e", "when": "exists(PATH)"}}',
    '{"await": {"event": "e", "key": "PATH"}}',
    '{"await": {"until": "PATH"}}',
    '{"for_each": "PATH"}',
    '{"task": {"name": "t", "context": {"x": "PATH"}}}',
    '{"task": {"name": "t", "context": {"x": {"path": "PATH"}}}}'
  ]) as s (step);

select * from finish();
rollback;
