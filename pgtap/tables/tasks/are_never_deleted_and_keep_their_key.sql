-- Logs, edges and queue rows know them by the key, without foreign keys. Not by the owner, not by a superuser,
-- not through a partition, and not as a replica.
begin;
select plan(9);

select tasker_test.make_task();
select tasker_test.remember_rows();

select throws_ok(
  'delete from tasker.tasks', 'TK403', 'rows of tasker.tasks are never deleted', 'a superuser cannot delete one'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.tasks returning 1') $$,
  'TK403', 'rows of tasker.tasks are never deleted', 'nor can the owner'
);
select throws_ok(
  format('delete from %s', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks are never deleted', 'a partition is no way round'
);
select throws_ok(
  'update tasker.tasks set task_uuid = tasker.mint_task_uuid()', 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'a key stays'
);
select throws_ok(
  format('update %s set task_uuid = tasker.mint_task_uuid()', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'in a partition, too'
);
set local session_replication_role = replica;
select throws_ok(
  'delete from tasker.tasks', 'TK403', 'rows of tasker.tasks are never deleted', 'a replica deletes none either'
);
select throws_ok(
  format('update %s set task_uuid = tasker.mint_task_uuid()', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'and changes no key'
);
set local session_replication_role = origin;
select lives_ok('update tasker.tasks set priority = priority where task_uuid = tasker_test.the_task()', 'all else may change');
select is_empty(
  $$
  select p.relid
    from pg_partition_tree('tasker.tasks') as p
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = p.relid
        and t.tgfoid = 'tasker.refuse_run_change'::regproc
        and t.tgenabled = 'A'
        and pg_get_triggerdef(t.oid) like '%BEFORE DELETE OR TRUNCATE%'
   )
  $$,
  'the table and each of its partitions refuse to be truncated as well'
);

select * from finish();
rollback;
