-- Retention drops old history as whole partitions; nothing else deletes it. The test truncates a partition of its
-- own, because truncate would wait for all sessions that read the table.
begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task_in('complete');
select tasker_test.remember_rows();

select throws_ok(
  format('truncate %s', tasker_test.the_partition('step_log')),
  'TK403', 'rows of tasker.step_log are never changed or deleted',
  'a partition cannot be truncated'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is_empty(
  $$
  select p.relid
    from pg_partition_tree('tasker.step_log') as p
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = p.relid
        and t.tgfoid = 'tasker.refuse_log_change'::regproc
        and pg_get_triggerdef(t.oid) like '%BEFORE TRUNCATE%'
   )
  $$,
  'the table and each of its partitions have a trigger that refuses truncate'
);

select * from finish();
rollback;
