-- By the statistics a task has four steps; this one has 3,000, and the planner does not know. A plan that
-- reads the task's steps or edges for each of its steps takes seconds.
begin;
select plan(5);

select tasker_test.make_task() from generate_series(1, 300);
analyze tasker.tasks, tasker.workflow_steps, tasker.workflow_step_edges;
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

select performs_ok($$ select tasker.get_step_readiness_status(tasker_test.the_task()) $$, 1000, 'readiness');
select performs_ok($$ select tasker.get_step_transitive_dependencies(tasker_test.the_step('s3000')) $$, 1000, 'ancestors');
select performs_ok($$ select tasker.get_step_dag_relationships(tasker_test.the_task()) $$, 1000, 'relationships');
select performs_ok($$ select tasker.explain_step(tasker_test.the_step('s3000')) $$, 1000, 'an explanation');
select performs_ok($$ select tasker.detect_cycle(tasker_test.the_step('s3000'), tasker_test.the_step('s1')) $$, 1000, 'the search for a cycle');

select * from finish();
rollback;
