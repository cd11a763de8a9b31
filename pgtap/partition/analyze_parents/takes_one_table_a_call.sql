-- Statistics of parents, which autovacuum never collects. An interval of less than nothing makes all of them due.
begin;
select plan(3);

select tasker_test.take_turn();
select is(tasker.analyze_parents('100 years') is null or tasker.analyze_parents('100 years') <> '', true, 'one that was never read, or none');
select ok(
  tasker.analyze_parents('-1 day') in (select t.table_name from tasker.partitioned_tables as t),
  'a table that is partitioned'
);
select isnt_empty(
  $$
  select
    from pg_class as c
    join tasker.partitioned_tables as t on c.oid = format('tasker.%I', t.table_name)::regclass
   where c.relkind = 'p'
     and c.reltuples >= 0
  $$,
  'whose parent now has statistics'
);

select * from finish();
rollback;
