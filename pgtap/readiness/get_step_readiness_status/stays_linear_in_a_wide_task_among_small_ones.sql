-- By the statistics a task has four steps; this one has 3,000, and the planner does not know. A plan that
-- reads the task's steps or edges for each of its steps touches hundreds of thousands of buffers.
begin;
select plan(5);

select tasker_test.make_task() from generate_series(1, 300);
analyze tasker.tasks, tasker.workflow_steps, tasker.named_task_edges;
select tasker_test.take_turn();
select tasker.register_task_template((
  select jsonb_build_object('namespace', 'test', 'name', 'wide', 'steps', jsonb_agg(
           jsonb_build_object('name', 's' || i, 'dependencies', (
             select coalesce(jsonb_agg('s' || (((i - 1) / 50 - 1) * 50 + 1 + (i + j) % 50)), '[]')
               from generate_series(0, 3) as j
              where i > 50
           )) order by i
         ))
    from generate_series(1, 3000) as i
));
select tasker_test.make_task('wide');

select cmp_ok(tasker_test.buffers($$ select tasker.get_step_readiness_status(tasker_test.the_task()) $$), '<', 100000::bigint, 'readiness');
select cmp_ok(tasker_test.buffers($$ select tasker.get_step_transitive_dependencies(tasker_test.the_step('s3000')) $$), '<', 100000::bigint, 'ancestors');
select cmp_ok(tasker_test.buffers($$ select tasker.get_step_dag_relationships(tasker_test.the_task()) $$), '<', 100000::bigint, 'relationships');
select cmp_ok(tasker_test.buffers($$ select tasker.explain_step(tasker_test.the_step('s3000')) $$), '<', 100000::bigint, 'an explanation');
select cmp_ok(tasker_test.buffers($$ select tasker.detect_cycle(tasker_test.the_step('s3000'), tasker_test.the_step('s1')) $$), '<', 100000::bigint, 'the search for a cycle');

select * from finish();
rollback;
