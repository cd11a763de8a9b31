begin;
select plan(7);

prepare many as
  select p.path, p.problem
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', (
      select jsonb_agg(jsonb_build_object('name', 's' || i) order by i) from generate_series(1, 65536) as i
    ))) as p;
select results_eq('many', $$ values ('steps', 'must have at most 65535 elements, not 65536') $$, '65,536 steps are refused');
deallocate many;
select is(
  (
    select p.problem
      from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', '[]'::jsonb, 'description', repeat('x', 67108864))) as p
  ),
  'a template has at most 67108864 bytes, not 67108941', 'a template that is too large to check is refused'
);

select is(
  (
    select count(*)::integer
      from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', (
        select jsonb_agg(1) from generate_series(1, 1000)
      )))
  ),
  20, 'of a thousand problems twenty are reported'
);
select results_eq(
  $$ select p.problem from tasker.validate_task_template((repeat('[', 1000) || repeat(']', 1000))::jsonb) as p $$,
  $$ values ('a template must be an object') $$, 'arrays in arrays'
);
select is(
  (
    select array_agg(p.path)
      from tasker.validate_task_template('{"namespace": "n''; drop schema tasker; --", "name": "%s%n", "steps": [{"name": "$$"}]}') as p
  ),
  '{namespace,name,steps[0].name}', 'what is meant to be something else'
);
select is(
  (
    select p.problem
      from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', '[{"name": "a"}]'::jsonb, repeat('x', 1000000), 1)) as p
  ),
  'a template has no such field', 'a field with a name of a million letters'
);
prepare strangers as
  select count(*) from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', (
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', jsonb_build_array('x' || i)) order by i)
      from generate_series(1, 3000) as i
  )));
set local statement_timeout = '1min';
select results_eq('strangers', 'values (20::bigint)', 'thousands of unknown dependencies');

select * from finish();
rollback;
