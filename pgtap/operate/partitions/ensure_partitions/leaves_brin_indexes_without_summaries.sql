-- An insert into a range of pages that has a summary widens the summary; one into a range without it reads one page.
begin;
select plan(3);

-- In partitions that are made here: pages and summaries of those of today may come from other tests.
select tasker_test.freeze(clock_timestamp() + interval '5 years');
select tasker.ensure_partitions();
select tasker_test.make_task_in('complete');
create temporary view brin as
select x.oid
  from tasker.partition_ranges as r
 cross join (values ('task_log'), ('step_log')) as p (table_name)
  join pg_index as i
    on i.indrelid = ('tasker.' || p.table_name || '_' || r.suffix)::regclass
  join pg_class as x
    on x.oid = i.indexrelid
  join pg_am as m
    on m.oid = x.relam
   and m.amname = 'brin'
 where tasker_test.the_task() >= r.from_uuid
   and tasker_test.the_task() < r.to_uuid;

select tasker.summarize_new_pages();
prepare summarize as select brin_summarize_range(b.oid, 0) from brin as b;
select results_eq('summarize', 'values (1), (1)', 'the range that rows are added to has no summary, before and after maintenance');

do $$ begin perform brin_desummarize_range(b.oid, 0) from brin as b; end $$;
select tasker_test.freeze((select r.ends_at from tasker.partition_ranges as r where tasker_test.the_task() >= r.from_uuid and tasker_test.the_task() < r.to_uuid));
select tasker.summarize_new_pages();
select results_eq('summarize', 'values (0), (0)', 'maintenance summarises the last pages of a partition whose time has passed');
select is_empty(
  $$
  select x.oid::regclass
    from tasker.partition_ranges as r
   cross join (values ('task_log'), ('step_log')) as p (table_name)
    join pg_index as i
      on i.indrelid = ('tasker.' || p.table_name || '_' || r.suffix)::regclass
    join pg_class as x
      on x.oid = i.indexrelid
     and x.reloptions::text like '%autosummarize%'
  $$,
  'no index summarises by itself'
);

select * from finish();
rollback;
