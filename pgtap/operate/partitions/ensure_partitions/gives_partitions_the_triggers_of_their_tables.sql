begin;
select plan(1);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

select set_eq(
  $$
  select format('%s on %s', t.tgname, t.tgrelid::regclass)
    from pg_trigger as t
   where t.tgrelid::regclass::text like '%\_p20500101'
     and t.tgname like '%append\_only'
  $$,
  array[
    'task_log_append_only on tasker.task_log_p20500101',
    'step_log_append_only on tasker.step_log_p20500101'
  ],
  'a partition has the trigger that refuses changes of history'
);

select * from finish();
rollback;
