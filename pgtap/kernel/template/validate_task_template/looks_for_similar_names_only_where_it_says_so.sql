-- Counts the comparisons of names (nearest_name), however many problems there are.
begin;
select plan(6);

set local track_functions = 'pl';
create function pg_temp.compared()
  returns bigint
  language sql
  volatile
begin atomic
  select coalesce(sum(f.calls), 0)
    from pg_stat_xact_user_functions as f
   where f.schemaname = 'tasker'
     and f.funcname = 'nearest_name';
end;

select is(
  (
    select count(*)
      from tasker.validate_task_template(
        jsonb_build_object('namespace', 'n', 'name', 't', 'steps', '[{"name": "a"}]'::jsonb)
          || (select jsonb_object_agg('field' || i, 1) from generate_series(1, 20000) as i)
      )
  ),
  20::bigint, 'twenty of 20,000 unknown fields are reported'
);
select cmp_ok(pg_temp.compared(), '<=', 20::bigint, 'at most twenty are compared with the names of fields');
select is(
  (
    select count(*)
      from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', (
        select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', jsonb_build_array('x' || i)) order by i)
          from generate_series(1, 10000) as i
      )))
  ),
  20::bigint, 'twenty of 10,000 unknown dependencies are reported'
);
select cmp_ok(pg_temp.compared(), '<=', 23::bigint, 'three are compared with the names of steps');

select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select throws_ok(
  $$
  select tasker.add_steps(tasker_test.the_task(), (
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'color', 1)) from generate_series(1, 5000) as i
  ))
  $$,
  'TK422', 'steps[0].color: a step has no such field', 'add_steps refuses 5,000 steps with an unknown field'
);
select cmp_ok(pg_temp.compared(), '<=', 43::bigint, 'add_steps compares at most twenty');

select * from finish();
rollback;
