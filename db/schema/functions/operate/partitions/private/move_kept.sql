create or replace function tasker.move_kept(p_range tasker.partition_ranges, p_kept uuid[], p_limit integer)
  returns tasker.retention_outcomes
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_move   tasker.kept_moves;
  v_answer tasker.retention_outcomes;
  v_tasks  uuid[];
  v_left   integer := p_limit;
  v_table  text;
begin
  v_answer.starts_at := p_range.starts_at;
  v_answer.ends_at := p_range.ends_at;
  v_answer.outcome := 'moving';
  select m.* into v_move from tasker.kept_moves as m where m.starts_at = p_range.starts_at for update;
  if not found then
    v_answer.detail := tasker.begin_move(p_range, p_kept);
    v_answer.outcome := case when v_answer.detail is null then 'moving' else 'busy' end;
    v_answer.detail := coalesce(v_answer.detail, 'begun');
    return v_answer;
  elsif v_move.templates <> p_kept then
    -- Another retention was set in the meantime. Truncate the tables, which no other session reads.
    for v_table in select t.table_name from tasker.partitioned_tables as t loop
      execute format('truncate tasker.%I', v_table || '_' || v_move.suffix);
    end loop;
    delete from tasker.step_totals as o where o.partition_suffix = v_move.suffix;
    update tasker.kept_moves as m
       set templates = p_kept, template = null, task_uuid = null, tasks = 0
     where m.starts_at = p_range.starts_at
    returning m.* into v_move;
  end if;

  -- Copy changed tasks first, so that the next batch replaces the copy of an erased task.
  v_tasks := tasker.changed_kept(p_range, v_move.suffix, v_left);
  perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, true);
  v_left := v_left - cardinality(v_tasks);
  if v_left > 0 then
    v_tasks := tasker.next_kept(p_range, v_move, v_left);
    perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, false);
    v_left := v_left - cardinality(v_tasks);
  end if;
  if v_left > 0 then
    v_tasks := tasker.missing_holds(p_range, v_move.suffix, v_left);
    perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, false);
    v_left := v_left - cardinality(v_tasks);
  end if;

  select m.tasks into v_move.tasks from tasker.kept_moves as m where m.starts_at = p_range.starts_at;
  v_answer.detail := format('%s tasks copied', v_move.tasks);
  if v_left > 0 then
    v_answer.detail := tasker.finish_move(p_range, v_move);
    v_answer.outcome := case when v_answer.detail is null then 'moved' else 'busy' end;
    v_answer.detail := coalesce(v_answer.detail, format('%s tasks moved to partitions _%s', v_move.tasks, v_move.suffix));
  end if;
  return v_answer;
end;
$$;

comment on function tasker.move_kept is
$$Copies the next kept tasks of a range, at most p_limit of them. When no task is left, replaces the range by the
copies. If the range cannot be locked, a later call tries again.

Each call runs in its own transaction. After a crash the next call continues. Reads the tasks without locks. If a task
changes after it was copied, a trigger records the change, and the task is copied again.$$;
