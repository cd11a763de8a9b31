create or replace function tasker.begin_move(p_range tasker.partition_ranges, p_kept uuid[])
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
declare
  v_new   tasker.partition_ranges := tasker.evacuated_range(array[p_range]);
  v_table text;
begin
  perform set_config(
    'lock_timeout', ceil(extract(epoch from tasker.partition_lock_budget()) * 1000)::text || 'ms', true
  );
  perform tasker.create_leaves(v_new.suffix);
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    -- A change that was made before the trigger existed is committed when the first batch reads.
    execute format(
      'create or replace trigger note_kept_change after insert or update or delete on tasker.%I
         for each row execute function tasker.note_kept_change()',
      v_table || '_' || p_range.suffix
    );
    -- With this constraint PostgreSQL attaches the partition without reading its rows.
    execute format(
      'alter table tasker.%I add constraint kept_range check (task_uuid >= %L and task_uuid < %L)',
      v_table || '_' || v_new.suffix, v_new.from_uuid, v_new.to_uuid
    );
  end loop;
  insert into tasker.kept_moves (starts_at, suffix, templates)
  values (p_range.starts_at, v_new.suffix, p_kept);
  return null;
exception
  when lock_not_available or deadlock_detected then
    return sqlerrm;
end;
$$;

comment on function tasker.begin_move is
$$Creates the partitions to which the kept tasks of a range are copied, and the triggers that record changes in the
range. Returns null, or the reason why it could not do so.

Locks the partitions of the range against writers for a moment. Waits for these locks at most partition_lock_timeout_ms.$$;
