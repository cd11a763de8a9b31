-- Writers that always take the same path name it by its number.
begin;
select plan(2);

select results_eq(
  $$ select p.outcome, p.path::integer, p.position::integer from tasker.task_paths as p where p.start_state = 'pending' and p.outcome in ('complete', 'enqueued', 'waiting') and p.last order by 1 $$,
  $$ values ('complete', 19, 2), ('enqueued', 38, 3), ('waiting', 33, 2) $$,
  'current_plan names the paths of new tasks'
);
select results_eq(
  $$ select p.path::integer, string_agg(p.event, ',' order by p.position) from tasker.step_log_paths as p where p.path in (1, 3, 13, 47) group by 1 order by 1 $$,
  $$ values (1, 'Enqueue'), (3, 'Start'), (13, 'Suspend'), (47, 'EnqueueForOrchestration,Complete') $$,
  'insert_steps, make_task, write_starts and write_completion name the paths of steps'
);

select * from finish();
rollback;
