begin;
select plan(2);

select tasker_test.register_diamond();

prepare insert_at (timestamptz) as
  insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id)
  select tasker_test.task_uuid_at($1), k.named_task_uuid, k.named_task_uuid
    from tasker.named_tasks as k
   where k.name = 'diamond';

select throws_ok(
  format('execute insert_at (%L)', (select max(r.ends_at) from tasker.partition_ranges as r)),
  '23514', 'no partition of relation "tasks" found for row',
  'no default partition takes a row after the last range'
);
select throws_ok(
  format(
    'execute insert_at (%L)',
    (select min(r.starts_at) - interval '1 millisecond' from tasker.partition_ranges as r)
  ),
  '23514', 'no partition of relation "tasks" found for row',
  'no default partition takes a row before the first range'
);

select * from finish();
rollback;
