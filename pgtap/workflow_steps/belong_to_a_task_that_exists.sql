begin;
select plan(3);

select tasker_test.make_task();

prepare insert_step (uuid, integer) as
  insert into tasker.workflow_steps (task_uuid, step_no, named_step_uuid, name)
  select $1, $2, h.named_step_uuid, h.name
    from tasker.named_steps as h
   where h.name = 'top';

select throws_ok(
  format('execute insert_step (%L, 1)', tasker.mint_task_uuid()),
  '23503', null,
  'a task that was never made has no steps'
);
select throws_ok(
  format('execute insert_step (%L, 1)', tasker_test.the_task()),
  '23505', null,
  'a number is taken once'
);
select throws_ok(
  format('execute insert_step (%L, 65536)', tasker_test.the_task()),
  '23502', null,
  'and has no more than sixteen bits'
);

select * from finish();
rollback;
