-- Logs, edges and queue rows refer to steps by this key, without foreign keys. This holds for the owner, for a
-- superuser, in a partition and in replica mode.
begin;
select plan(10);

select tasker_test.make_task();
select tasker_test.remember_rows();

select throws_ok(
  'delete from tasker.workflow_steps', 'TK403', 'rows of tasker.workflow_steps are never deleted', 'a superuser cannot delete a step'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.workflow_steps returning 1') $$,
  'TK403', 'rows of tasker.workflow_steps are never deleted', 'the owner cannot delete a step'
);
select throws_ok(
  format('delete from %s', tasker_test.the_partition('workflow_steps')),
  'TK403', 'rows of tasker.workflow_steps are never deleted', 'a row of a partition cannot be deleted'
);
select throws_ok(
  'update tasker.workflow_steps set step_no = step_no + 100', 'TK403', 'rows of tasker.workflow_steps never change the columns that they were created with', 'the key of a step cannot be changed'
);
select throws_ok(
  format('update %s set step_no = step_no + 100', tasker_test.the_partition('workflow_steps')),
  'TK403', 'rows of tasker.workflow_steps never change the columns that they were created with', 'the key cannot be changed in a partition'
);
set local session_replication_role = replica;
select throws_ok(
  'delete from tasker.workflow_steps', 'TK403', 'rows of tasker.workflow_steps are never deleted', 'a step cannot be deleted in replica mode'
);
select throws_ok(
  format('update %s set step_no = step_no + 100', tasker_test.the_partition('workflow_steps')),
  'TK403', 'rows of tasker.workflow_steps never change the columns that they were created with', 'a key cannot be changed in replica mode'
);
set local session_replication_role = origin;
select results_eq(
  'update tasker.workflow_steps set priority = priority + 7 where task_uuid = tasker_test.the_task() returning priority',
  'select 7 from tasker.workflow_steps where task_uuid = tasker_test.the_task()', 'the priority can be changed'
);
-- The trigger fires for each statement, also if it updates no row.
create function pg_temp.refused(p_column name) returns boolean language plpgsql as $$
begin
  execute format('update tasker.workflow_steps set %1$I = %1$I where false', p_column);
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
     where a.attrelid = 'tasker.workflow_steps'::regclass
       and a.attnum > 0
       and not a.attisdropped
       and pg_temp.refused(a.attname)
  ),
  'await, created_at, for_each, inputs, limit_key, limit_no, map_no, max_attempts, name, named_step_uuid, step_no, task_uuid, timeout_seconds, workflow_step_uuid',
  'the columns that never change are these, and no others'
);
select is_empty(
  $$
  select p.relid
    from pg_partition_tree('tasker.workflow_steps') as p
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
