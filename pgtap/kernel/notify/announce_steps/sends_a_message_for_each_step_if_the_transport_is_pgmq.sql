begin;
select plan(6);

select tasker_test.take_turn();

select n.transport from tasker.register_namespace('shop', p_transport => 'pgmq') as n \gset
select tasker.register_task_template('{
  "namespace": "shop", "name": "two", "steps": [
    {"name": "fast", "priority": 1}, {"name": "plain"}, {"name": "slow", "priority": -1}, {"name": "last", "dependencies": ["plain"]}
  ]
}');
create temporary table made as
  select * from tasker.create_tasks('shop', 'two', array['{"n": 1}', '{"n": 2}']::jsonb[]);

prepare messages (text) as select m.message from pgmq.read($1, 0, 10) as m order by m.msg_id;

select results_eq(
  $$ execute messages ('worker_shop_queue') $$,
  $$
    select jsonb_build_object('task_uuid', m.task_uuid, 'step_uuid', tasker.step_uuid(m.task_uuid, 2), 'correlation_id', m.task_uuid)
      from made as m order by m.position
  $$,
  'the queue has a message for a root step of each task, in the order of the tasks'
);
select is((select count(*) from pgmq.read('worker_shop_queue_high', 0, 10)), 2::bigint, 'the high lane has a queue of its own');
select is((select count(*) from pgmq.read('worker_shop_queue_low', 0, 10)), 2::bigint, 'the low lane has a queue of its own');

select m.task_uuid as task from made as m where m.position = 1 \gset
select tasker_test.complete_step(tasker.step_uuid(:'task', 2));
select tasker_test.move_step(tasker.step_uuid(:'task', 4), 'enqueued');
select is(
  (select count(*) from pgmq.read('worker_shop_queue', 0, 10) as m where m.message ->> 'step_uuid' = tasker.step_uuid(:'task', 4)::text),
  1::bigint, 'a step that is enqueued later has one message'
);
select is((select count(*) from pgmq.read('worker_shop_queue', 0, 10)), 3::bigint, 'no other step has a new message');
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
