-- Logs, edges and queue rows refer to tasks by this key, without foreign keys. This holds for the owner, for a
-- superuser, in a partition and in replica mode.
begin;
select plan(10);

select tasker_test.make_task();
select tasker_test.remember_rows();

select throws_ok(
  'delete from tasker.tasks', 'TK403', 'rows of tasker.tasks are never deleted', 'a superuser cannot delete a task'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.tasks returning 1') $$,
  'TK403', 'rows of tasker.tasks are never deleted', 'the owner cannot delete a task'
);
select throws_ok(
  format('delete from %s', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks are never deleted', 'a row of a partition cannot be deleted'
);
select throws_ok(
  'update tasker.tasks set task_uuid = tasker.mint_task_uuid()', 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'the key of a task cannot be changed'
);
select throws_ok(
  format('update %s set task_uuid = tasker.mint_task_uuid()', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'the key cannot be changed in a partition'
);
set local session_replication_role = replica;
select throws_ok(
  'delete from tasker.tasks', 'TK403', 'rows of tasker.tasks are never deleted', 'a task cannot be deleted in replica mode'
);
select throws_ok(
  format('update %s set task_uuid = tasker.mint_task_uuid()', tasker_test.the_partition('tasks')),
  'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'a key cannot be changed in replica mode'
);
set local session_replication_role = origin;
select results_eq(
  'update tasker.tasks set priority = priority + 7 where task_uuid = tasker_test.the_task() returning priority',
  'select 7 from tasker.tasks where task_uuid = tasker_test.the_task()', 'the priority can be changed'
);
-- The trigger fires for each statement, also if it updates no row.
create function pg_temp.refused(p_column name) returns boolean language plpgsql as $$
begin
  execute format('update tasker.tasks set %1$I = %1$I where false', p_column);
  return false;
exception
  when sqlstate 'TK403' then
    return true;
end;
$$;
select is(
  (
    select string_agg(a.attname, ', ' order by a.attname)
      from pg_attribute as a
     where a.attrelid = 'tasker.tasks'::regclass
       and a.attnum > 0
       and not a.attisdropped
       and pg_temp.refused(a.attname)
  ),
  'context, correlation_id, creator_namespaces, depth, erased_at, headers, identity_hash, initiator, login, named_task_uuid, parent_correlation_id, parent_step_uuid, requested_at, role, source_system, task_uuid',
  'the columns that never change are these, and no others'
);
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
  'the table and each of its partitions have a trigger that refuses truncate'
);

select * from finish();
rollback;
