begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.set_setting('result_bytes', '1024');
create function pg_temp.run_each(p_name text, p_child jsonb) returns text language plpgsql as $$
begin
  perform tasker_test.create_waiting(
    p_name, jsonb_build_array('{"name": "each", "for_each": "$.lines"}'::jsonb, '{"name": "few"}'::jsonb, p_child),
    p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 200) as n))
  );
  perform tasker_test.claim('few');
  perform tasker_test.finish('few', '[1, 2]');
  perform tasker_test.expand();
  perform tasker_test.finish_instances('each');
  perform tasker_test.expand();
  return (select s.state from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'each');
end;
$$;
select is(pg_temp.run_each('handler', '{"name": "after", "dependencies": ["each", "few"]}'), 'complete', 'a map whose child has a handler completes');
select is(
  pg_temp.run_each('other', '{"name": "next", "dependencies": ["each", "few"], "for_each": {"step": "few"}}'),
  'complete', 'a map completes if its child runs over another step''s array'
);
select is(pg_temp.run_each('same', '{"name": "next", "dependencies": ["each", "few"], "for_each": {"step": "each"}}'), 'error', 'a map fails if its child runs over its results');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
