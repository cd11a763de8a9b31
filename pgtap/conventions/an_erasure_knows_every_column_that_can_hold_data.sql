-- Each column that can hold what a user passes is erased, or listed in tasker_test.kept_columns with the reason why it holds no data of a
-- run. The tests of erase_task put a marker into each of the former and look for it afterwards: so a new column cannot be forgotten.
begin;
select plan(5);

select cmp_ok((select count(*) from tasker_test.run_columns), '>', 40::bigint, 'there are columns to erase');
select is_empty(
  $$ select distinct c.table_name from tasker_test.run_columns as c where tasker_test.rows_of_run(c.table_name) is null $$,
  'each table with data of runs is erased, or listed in tasker_test.kept_columns'
);
select is_empty(
  $$ select c.table_name, c.column_name, c.type from tasker_test.run_columns as c where tasker_test.marked(c.table_name, c.column_name, c.type) is null $$,
  'the tests can fill each column to erase'
);
select is_empty(
  $$
  select k.table_name, k.column_name
    from tasker_test.kept_columns as k
   where length(k.why) < 10
      or not exists (
        select
          from tasker_test.data_columns as c
         where c.schema_name || '.' || c.table_name = k.table_name
           and k.column_name in ('*', c.column_name)
      )
  $$,
  'each listed column exists, and has a reason'
);
create table tasker.new_notes (task_uuid uuid, note text);
select bag_has(
  $$ select c.table_name, c.column_name from tasker_test.run_columns as c $$, $$ values ('tasker.new_notes', 'note') $$,
  'a column of a new table is one to erase until it is listed'
);

select * from finish();
rollback;
