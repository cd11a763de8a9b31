begin;
select plan(4);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as
  select *
    from tasker.create_tasks('test', 'diamond', (select array_agg(jsonb_build_object('n', n)) from generate_series(1, 3000) as n));

select is((select count(distinct m.task_uuid) from made as m where m.created), 3000::bigint, 'three thousand tasks are created');
select is(
  (select count(*) from made as m join tasker.workflow_steps as s on s.task_uuid = m.task_uuid), 12000::bigint, 'each task has its steps'
);
select is(
  (select count(*) from made as m join tasker.step_queue as q on q.task_uuid = m.task_uuid), 3000::bigint, 'each root is enqueued'
);
select is(
  (select bool_and(m.task_uuid > o.task_uuid) from made as m join made as o on o.position < m.position and m.position % 500 = 0),
  true, 'the UUIDs are in the order of the contexts'
);

select * from finish();
rollback;
