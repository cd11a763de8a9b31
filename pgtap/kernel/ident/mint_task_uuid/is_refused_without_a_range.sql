begin;
select plan(2);

select tasker_test.freeze((select min(r.starts_at) - interval '1 second' from tasker.partition_ranges as r));
select throws_ok(
  'select tasker.mint_task_uuid()',
  'TK507', 'there is no partition for a new task',
  'it raises TK507 if no range begins before now'
);

select tasker_test.freeze();
delete from tasker.partition_ranges;
select throws_ok(
  'select tasker.mint_task_uuid()',
  'TK507', 'there is no partition for a new task',
  'it raises TK507 if there is no range'
);

select * from finish();
rollback;
