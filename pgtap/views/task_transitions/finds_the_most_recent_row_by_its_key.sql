-- A task with a history of ten thousand transitions, in a partition of its own.
begin;
select plan(4);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task_in('steps_in_process');

insert into tasker.task_log (task_uuid, sort_key, path)
select tasker_test.the_task(), 3 + 3 * n + e.position, e.path
  from generate_series(0, 3332) as n
 cross join (values
   (1, 6), -- StepCompleted
   (2, 10), -- ReadyStepsFound
   (3, 5) -- StepsEnqueued
 ) as e (position, path);
update tasker.tasks set transition_count = 10002 where task_uuid = tasker_test.the_task();
analyze tasker.task_log, tasker.tasks;

create temporary table nodes as
  select n.node
    from tasker_test.plan_nodes(format(
      'select v.to_state from tasker.task_transitions as v where v.task_uuid = %L and v.most_recent',
      tasker_test.the_task()
    )) as n (node);

select is(
  (select v.sort_key from tasker.task_transitions as v where v.task_uuid = tasker_test.the_task() and v.most_recent),
  10002,
  'the view returns the newest transition'
);
select is_empty(
  $$
  select node
    from nodes
   where node ->> 'Node Type' = 'Seq Scan'
     and node ->> 'Relation Name' like 'task\_log\_p%'
  $$,
  'the plan has no sequential scan of the log'
);
select isnt_empty(
  $$
  select node
    from nodes
   where node ->> 'Relation Name' like 'task\_log\_p%'
     and node ->> 'Index Cond' like '%sort_key = %transition_count%'
     and (node ->> 'Actual Rows')::numeric = 1
  $$,
  'the plan finds one row by its number'
);
select is_empty(
  $$
  select node
    from nodes
   where node ->> 'Relation Name' like 'task\_log\_p%'
     and (node ->> 'Rows Removed by Filter')::numeric > 0
      or (node ->> 'Rows Removed by Join Filter')::numeric > 0
  $$,
  'the plan discards no row'
);

select * from finish();
rollback;
