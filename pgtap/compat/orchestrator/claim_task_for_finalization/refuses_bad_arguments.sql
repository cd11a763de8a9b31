begin;
select plan(7);

select tasker_test.create_task();
select throws_ok(
  $$ select tasker.claim_task_for_finalization(null, '00000000-0000-0000-0000-00000000000a') $$,
  'TK404', 'task null does not exist', 'a null task is refused'
);
select throws_ok(
  $$ select tasker.claim_task_for_finalization('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-00000000000a') $$,
  'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok(
  'select tasker.claim_task_for_finalization(tasker_test.the_task(), null)', 'TK422', 'a claim names no worker', 'a null processor is refused'
);
select throws_ok(
  format($$ select tasker.claim_task_for_finalization(tasker_test.the_task(), '00000000-0000-0000-0000-00000000000a', %s) $$, u.lease),
  'TK422', format('a lease cannot last %s seconds', u.lease), format('a lease of %s seconds is refused', u.lease)
)
  from unnest('{-1, 0, 86401, 2147483647}'::integer[]) as u (lease);

select * from finish();
rollback;
