begin;
select plan(4);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "only", "handler": "h"}]}');

-- A summary of a range that rows are added to would be written again by each of them.
select from tasker.create_tasks('test', 'one', array_fill('{}'::jsonb, array[100]));
select tasker.roll_up();
create temporary table newest as
select c.relname as log, i.indexrelid as index, c.oid as log_oid
  from pg_inherits as h
  join pg_class as c
    on c.oid = h.inhrelid
  join pg_index as i
    on i.indrelid = c.oid
  join pg_class as x
    on x.oid = i.indexrelid
  join pg_am as m
    on m.oid = x.relam
   and m.amname = 'brin'
 where h.inhparent in ('tasker.task_log'::regclass, 'tasker.step_log'::regclass)
   -- A transaction of another test that was rolled back may have left pages in another partition.
   and c.oid in (select l.tableoid from tasker.task_log as l union select l.tableoid from tasker.step_log as l);
select cmp_ok((select count(*) from newest), '>=', 2::bigint, 'both logs have rows');
select from tasker.create_tasks('test', 'one', array_fill('{}'::jsonb, array[5000]));
-- A transaction that was rolled back may have left a summary of the range.
select brin_desummarize_range(n.index, (pg_relation_size(n.log_oid) / 8192 - 1) / 32 * 32) from newest as n;
select tasker.roll_up();
select cmp_ok((select min(pg_relation_size(n.log_oid) / 8192) from newest as n), '>', 32::bigint, 'each log has ranges that are full');
select results_eq(
  -- The summary of the first range was made with the index.
  'select distinct brin_summarize_range(n.index, (pg_relation_size(n.log_oid) / 8192 - 1) / 32 * 32) from newest as n', 'values (1)', 'the range that rows are added to has no summary'
);
select is_empty(
  $$ select n.log, b.block from newest as n cross join lateral generate_series(0, pg_relation_size(n.log_oid) / 8192 - 1 - 32, 32) as b (block) where (brin_summarize_range(n.index, b.block) = 0) is not true $$,
  'ranges that are full have a summary'
);

select * from finish();
rollback;
