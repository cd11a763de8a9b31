-- By the statistics a task has four steps; these have thousands, and the planner does not know. A plan that
-- reads the task's steps or edges for each of its steps costs the square.
begin;
select plan(5);

select tasker_test.make_task() from generate_series(1, 300);
analyze tasker.tasks, tasker.workflow_steps, tasker.named_task_edges;
select tasker_test.take_turn();
create function pg_temp.make(p_name text, p_steps integer) returns void language sql as $$
  select from tasker.register_task_template((
    select jsonb_build_object('namespace', 'test', 'name', p_name, 'steps', jsonb_agg(
             jsonb_build_object('name', 's' || i, 'dependencies', (
               select coalesce(jsonb_agg('s' || (((i - 1) / 50 - 1) * 50 + 1 + (i + j) % 50)), '[]')
                 from generate_series(0, 3) as j
                where i > 50
             )) order by i
           ))
      from generate_series(1, p_steps) as i
  ));
  select from tasker_test.make_task(p_name);
$$;
create function pg_temp.costs(p_last text) returns bigint[] language sql as $$
  select array[
    tasker_test.buffers('select tasker.get_step_readiness_status(tasker_test.the_task())'),
    tasker_test.buffers(format('select tasker.get_step_transitive_dependencies(tasker_test.the_step(%L))', p_last)),
    tasker_test.buffers('select tasker.get_step_dag_relationships(tasker_test.the_task())'),
    tasker_test.buffers(format('select tasker.explain_step(tasker_test.the_step(%L))', p_last)),
    tasker_test.buffers(format('select tasker.detect_cycle(tasker_test.the_step(%L), tasker_test.the_step(%L))', p_last, 's1'))
  ];
$$;
select pg_temp.make('warm', 100);
select pg_temp.costs('s100');
select pg_temp.make('narrow', 1000);
select pg_temp.costs('s1000') as narrow \gset
select pg_temp.make('wide', 3000);
select pg_temp.costs('s3000') as wide \gset

select cmp_ok(
    (:'wide'::bigint[])[c.no], '<', 6 * (:'narrow'::bigint[])[c.no],
    format('three times the steps do not cost the square: %s', c.name)
  )
  from unnest(array['readiness', 'ancestors', 'relationships', 'an explanation', 'the search for a cycle']) with ordinality as c (name, no)
 order by c.no;

select * from finish();
rollback;
