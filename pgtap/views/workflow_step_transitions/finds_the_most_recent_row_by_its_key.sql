-- A step with a history of ten thousand transitions, in a partition of its own.
begin;
select plan(5);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task_in('steps_in_process');

insert into tasker.step_log (task_uuid, step_no, sort_key, path)
select tasker_test.the_task(), 1, 1 + 2 * n + e.position, e.path
  from generate_series(0, 4999) as n
 cross join (values
   (1, 3), -- Start
   (2, 6) -- Release
 ) as e (position, path);
update tasker.workflow_steps set transition_count = 10001 where task_uuid = tasker_test.the_task() and step_no = 1;
analyze tasker.step_log, tasker.workflow_steps;

create temporary table nodes as
  select 'task' as asked_for, n.node
    from tasker_test.plan_nodes(format(
      'select v.to_state from tasker.workflow_step_transitions as v where v.task_uuid = %L and v.most_recent',
      tasker_test.the_task()
    )) as n (node)
  union all
  select 'step', n.node
    from tasker_test.plan_nodes(format(
      'select v.to_state from tasker.workflow_step_transitions as v where v.task_uuid = %L and v.step_no = 1 and v.most_recent',
      tasker_test.the_task()
    )) as n (node);

select is(
  (
    select v.sort_key
      from tasker.workflow_step_transitions as v
     where v.task_uuid = tasker_test.the_task()
       and v.step_no = 1
       and v.most_recent
  ),
  10001,
  'the view returns the newest transition of the step'
);
select is(
  (
    select count(*)
      from tasker.workflow_step_transitions as v
     where v.task_uuid = tasker_test.the_task()
       and v.most_recent
  ),
  4::bigint,
  'the view returns one newest transition for each step'
);
select is_empty(
  $$
  select node
    from nodes
   where node ->> 'Node Type' = 'Seq Scan'
     and node ->> 'Relation Name' like 'step\_log\_p%'
  $$,
  'the plan has no sequential scan of the log'
);
select is(
  (
    select count(distinct n.asked_for)
      from nodes as n
     where n.node ->> 'Relation Name' like 'step\_log\_p%'
       and n.node ->> 'Index Cond' like '%sort_key = %transition_count%'
       and (n.node ->> 'Actual Rows')::numeric <= 1
  ),
  2::bigint,
  'both plans find rows by their numbers'
);
select is_empty(
  $$
  select node
    from nodes
   where node ->> 'Relation Name' like 'step\_log\_p%'
     and (node ->> 'Rows Removed by Filter')::numeric > 0
      or (node ->> 'Rows Removed by Join Filter')::numeric > 0
  $$,
  'the plans discard no row'
);

select * from finish();
rollback;
