begin;
select plan(5);

select tasker_test.take_turn();
create function pg_temp.register(p_version text, variadic p_names text[]) returns text language plpgsql as $$
begin
  perform tasker.register_task_template(jsonb_build_object(
    'namespace', 'shipping', 'name', 'order', 'version', p_version,
    'steps', (
      select jsonb_agg(jsonb_build_object(
        'name', u.name, 'dependencies', case when u.no > 1 then jsonb_build_array(p_names[u.no - 1]) else '[]' end
      ) order by u.no) from unnest(p_names) with ordinality as u (name, no)
    )
  ));
  return (
    select string_agg(s.step_name || s.step_no || coalesce('<' || e.from_step_no, ''), ' ' order by s.step_no)
      from tasker.named_tasks as k
      join tasker.named_tasks_named_steps as s on s.named_task_uuid = k.named_task_uuid
      left join tasker.named_task_edges as e on e.named_task_uuid = s.named_task_uuid and e.to_step_no = s.step_no
     where k.name = 'order' and k.version = p_version
  );
end;
$$;

select is(pg_temp.register('1', 'a', 'b', 'c'), 'a1 b2<1 c3<2', 'the first version numbers its steps in their order');
select is(pg_temp.register('2', 'a', 'x', 'b', 'c'), 'a1 b2<4 c3<2 x4<1', 'a step in the middle gets a new number, and the others keep theirs');
select is(pg_temp.register('3', 'y', 'a', 'c'), 'a1<5 c3<1 y5', 'the number of a removed step is not reused');
select is(pg_temp.register('4', 'c', 'b', 'x'), 'b2<3 c3 x4<2', 'a step that returns has its old number');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('shipping', 'order', '{}') as c), true);
select is(
  (select string_agg(s.name || s.step_no, ' ' order by s.step_no) from tasker.list_steps(tasker_test.the_task()) as s),
  'b2 c3 x4', 'tasks number their steps as their template does'
);

select * from finish();
rollback;
