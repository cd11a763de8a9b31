-- Autovacuum never collects the statistics of parents. With a negative interval the statistics of all tables are due.
begin;
select plan(5);

select tasker_test.take_turn();
set local stats_fetch_consistency = none;
select results_eq(
  $$ select a.name from (select tasker.analyze_parents('-1 day') as name from tasker.partitioned_tables) as a order by a.name $$,
  'select t.table_name from tasker.partitioned_tables as t order by t.table_name',
  'as many calls as there are tables take each of them once'
);
select is_empty(
  $$
  select t.table_name
    from tasker.partitioned_tables as t
   where not exists (
     select
       from pg_class as c
      where c.oid = format('tasker.%I', t.table_name)::regclass
        and c.relkind = 'p'
        and c.reltuples >= 0
   )
  $$,
  'each parent has statistics after that'
);
select is(tasker.analyze_parents('100 years'), null, 'no statistics are older than a long interval');
select is(tasker.analyze_parents(null), null, 'a null interval means a day');
select ok(
  tasker.analyze_parents('-1 day') in (select t.table_name from tasker.partitioned_tables as t), 'the name of a run table is returned'
);

select * from finish();
rollback;
