begin;
select plan(2);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as
  select *
    from tasker.create_task(
      'test', 'diamond', p_priority => 3, p_tags => '{eu,vip}', p_initiator => 'ann', p_source_system => 'shop',
      p_reason => 'order 7', p_correlation_id => '00000000-0000-4000-8000-000000000001',
      p_parent_correlation_id => '00000000-0000-4000-8000-000000000002', p_headers => '{"traceparent": "00-ab"}',
      p_deadline => '2999-01-01 00:00:00+00'
    );

select results_eq(
  $$
    select t.priority, t.tags, t.initiator, t.source_system, t.reason, t.correlation_id, t.parent_correlation_id,
           t.headers, t.deadline
      from made as m cross join lateral tasker.get_task(m.task_uuid) as t
  $$,
  $$
    values (
      3, '{eu,vip}'::text[], 'ann', 'shop', 'order 7', '00000000-0000-4000-8000-000000000001'::uuid,
      '00000000-0000-4000-8000-000000000002'::uuid, '{"traceparent": "00-ab"}'::jsonb, '2999-01-01 00:00:00+00'::timestamptz
    )
  $$,
  'the task has the priority, tags, initiator, source, reason, correlation, headers and deadline that were given'
);
select is(
  (select q.lane from made as m join tasker.step_queue as q on q.task_uuid = m.task_uuid), 'high',
  'a priority above zero takes the high lane'
);

select * from finish();
rollback;
