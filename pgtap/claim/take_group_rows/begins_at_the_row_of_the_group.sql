begin;
select plan(2);

select tasker_test.freeze();
insert into tasker.task_namespaces (name) values ('tap') on conflict do nothing;
insert into tasker.named_steps (named_step_uuid, name) values ('00000000-0000-4000-8000-000000000007', 'tap.seven');
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'tap', 'normal', '00000000-0000-4000-8000-000000000007', tasker.clock() - interval '1 minute'
  from generate_series(1, 3000);
delete from tasker.step_queue as q where q.namespace = 'tap';
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'tap', 'normal', '00000000-0000-4000-8000-000000000007', tasker.clock()
  from generate_series(1, 3);

-- The rows that were deleted are still in the index: this transaction has not committed.
create temp table probe on commit drop as
select g as row from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) as g;
select cmp_ok(
  tasker_test.buffers($$
    select tasker.take_group_rows(array(select p.row from probe as p), 2, tasker.clock() + interval '1 minute', true)
  $$),
  '<=', 60::bigint, 'rows that were taken before are not read again'
);
select is(
  (select count(*) from tasker.step_queue as q where q.namespace = 'tap' and q.lane = 'running'), 2::bigint,
  'and the oldest that are there are taken'
);

select * from finish();
rollback;
