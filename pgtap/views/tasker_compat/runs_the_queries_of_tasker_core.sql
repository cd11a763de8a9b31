-- Queries that users of tasker-core have, some with the change that docs/from-tasker-core.md names.
begin;
select plan(12);

select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step('top'), '{"amount": 42}');
-- The search_path of tasker-core's users has tasker_compat first; tasker_test stays on it for the helpers.
create temporary table here as
select tasker_test.the_task() as task, tasker_test.the_step('top') as top, tasker_test.the_step('left') as "left",
       tasker_test.the_step('bottom') as bottom;
select set_config('search_path', 'tasker_compat, tasker, ' || current_setting('search_path'), true);

select isnt_empty($$ SELECT * FROM tasks WHERE task_uuid = (select task from here) FOR UPDATE $$, 'a query locks a task by its key');
select isnt_empty(
  $$ SELECT task_uuid FROM tasks WHERE state = ANY('{pending,enqueuing_steps}') FOR UPDATE SKIP LOCKED LIMIT 5 $$,
  'a query claims tasks with SKIP LOCKED'
);
select isnt_empty(
  $$ SELECT task_uuid, priority FROM tasks WHERE current_state IN ('pending', 'enqueuing_steps') ORDER BY priority DESC, created_at ASC LIMIT 10 $$,
  'a query sorts candidates by priority and age'
);
select isnt_empty(
  $$
  SELECT task_uuid, correlation_id, state
    FROM tasks
   WHERE state = ANY('{pending,waiting_for_retry,enqueuing_steps}')
   ORDER BY CASE state WHEN 'pending' THEN 1 WHEN 'waiting_for_retry' THEN 2 ELSE 3 END, created_at ASC
     FOR UPDATE SKIP LOCKED
   LIMIT 10
  $$,
  'a query locks pending tasks before retrying ones'
);
select results_eq(
  $$
  WITH step_dependencies AS (
    SELECT COUNT(*) as total_deps,
           SUM(CASE WHEN dep_step.state = 'complete' THEN 1 ELSE 0 END) as completed_deps
    FROM workflow_step_edges e
    JOIN workflow_steps dep_step ON e.from_step_uuid = dep_step.uuid
    WHERE e.to_step_uuid = (select "left" from here)
  )
  SELECT
    CASE
      WHEN total_deps = completed_deps THEN 'Ready'
      WHEN step.state = 'error' AND step.attempts < step.max_attempts THEN 'WaitingForRetry'
      ELSE 'Blocked'
    END as readiness
  FROM step_dependencies, workflow_steps step
  WHERE step.uuid = (select "left" from here)
  $$,
  $$ values ('Ready') $$, 'a query derives the readiness of a step from its parents'
);
select results_eq(
  $$
  WITH RECURSIVE step_path AS (
    SELECT from_step_uuid, to_step_uuid, 1 as depth
    FROM workflow_step_edges
    WHERE from_step_uuid = (select top from here)
    UNION ALL
    SELECT sp.from_step_uuid, wse.to_step_uuid, sp.depth + 1
    FROM step_path sp
    JOIN workflow_step_edges wse ON sp.to_step_uuid = wse.from_step_uuid
    WHERE sp.depth < 100
  )
  SELECT COUNT(*) as has_path FROM step_path WHERE to_step_uuid = (select bottom from here)
  $$,
  $$ values (2::bigint) $$, 'a recursive query finds both paths from top to bottom'
);
select results_eq(
  $$ SELECT to_state, processor_uuid FROM task_transitions WHERE task_uuid = (select task from here) AND most_recent = true $$,
  $$ values ('enqueuing_steps', null::uuid) $$, 'a query returns the current transition'
);
select results_eq(
  $$
  SELECT ws.workflow_step_uuid
    FROM workflow_steps ws
   WHERE ws.task_uuid = (select task from here)
     AND NOT EXISTS (SELECT 1 FROM workflow_step_edges wse WHERE wse.to_step_uuid = ws.workflow_step_uuid)
  $$,
  'select top from here', 'a query returns the root steps'
);
select results_eq(
  $$
  SELECT edge.to_step_uuid, COUNT(*), COUNT(CASE WHEN parent.current_state = 'complete' THEN 1 END)
    FROM workflow_step_edges edge
    JOIN workflow_steps parent ON parent.workflow_step_uuid = edge.from_step_uuid
   WHERE parent.task_uuid = (select task from here)
     AND edge.to_step_uuid = (select bottom from here)
   GROUP BY edge.to_step_uuid
  $$,
  'select bottom, 2::bigint, 0::bigint from here', 'a query counts the parents and the completed ones'
);
select results_eq(
  $$ SELECT worker_uuid, success FROM workflow_step_result_audit WHERE workflow_step_uuid = (select top from here) ORDER BY recorded_at DESC $$,
  $$ values (null::uuid, true) $$, 'a query returns the audit of a step'
);
select results_eq(
  $$
  SELECT row_count, oldest_task <= newest_task, total_size <> '' FROM (
  SELECT pg_size_pretty(pg_total_relation_size('tasker.tasks')) as total_size,
         count(*) as row_count, min(created_at) as oldest_task, max(created_at) as newest_task,
         count(*) / nullif(EXTRACT(day FROM (max(created_at) - min(created_at))), 0) as avg_tasks_per_day
    FROM tasks) AS growth
  $$,
  'select count(*), true, true from tasker.tasks', 'a query of the growth counts the tasks'
);
select isnt_empty(
  $$
  SELECT schemaname || '.' || tablename as partition_name, pg_size_pretty(pg_total_relation_size(schemaname||'.'||tablename)) as size
    FROM pg_tables
   WHERE schemaname = 'tasker' AND tablename LIKE 'tasks_p%'
   ORDER BY tablename
  $$,
  'a query returns the sizes of partitions'
);

select * from finish();
rollback;
