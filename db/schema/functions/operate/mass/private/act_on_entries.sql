create or replace function tasker.act_on_entries(p_action tasker.mass_actions, p_limit integer, p_until timestamptz)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entries tasker.selection_entries[];
  v_locked  uuid[];
  v_entry   tasker.selection_entries;
  v_done    integer := 0;
begin
  v_entries := array(
    select e
      from tasker.selection_entries as e
     where e.selection_uuid = p_action.selection_uuid
       and e.state = 'waits'
     order by e.tries, e.entry_no
     limit p_limit
  );
  -- Lock all tasks at once, before any task is changed, and without waiting. So two mass actions, or a mass action and
  -- an operator, cannot deadlock.
  v_locked := tasker.lock_tasks(array(select e.task_uuid from unnest(v_entries) as e));
  for v_entry in
    select e.* from unnest(v_entries) as e order by e.task_uuid, e.object_uuid
  loop
    exit when clock_timestamp() > p_until and v_done > 0;
    if v_entry.task_uuid = any (v_locked) then
      v_entry := tasker.act_on_entry(p_action, v_entry);
    elsif not exists (select from tasker.tasks as t where t.task_uuid = v_entry.task_uuid) then
      v_entry.state := 'skipped';
      v_entry.note := 'its task does not exist any more';
    else
      v_entry.tries := v_entry.tries + 1;
    end if;
    if v_entry.state = 'waits' and v_entry.tries >= 100 then
      v_entry.state := 'skipped';
      v_entry.note := 'another transaction held its task';
    end if;
    update tasker.selection_entries as e
       set state       = v_entry.state,
           tries       = v_entry.tries,
           acted_at    = case when v_entry.state in ('open', 'passed', 'failed') then tasker.clock() end,
           watch       = v_entry.watch,
           result_uuid = v_entry.result_uuid,
           note        = v_entry.note
     where e.selection_uuid = v_entry.selection_uuid
       and e.entry_no = v_entry.entry_no;
    v_done := v_done + (v_entry.state <> 'waits')::integer;
  end loop;
  return v_done;
end;
$$;

comment on function tasker.act_on_entries is
$$Acts on up to p_limit entries of a mass action that are next, until the time p_until, and writes the outcome of each
entry. Returns how many entries left the state "waits". Locks the tasks of the entries without waiting. If another
transaction holds the task of an entry, the entry waits for a later batch.$$;
