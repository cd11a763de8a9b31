create or replace function tasker.evacuate_partition(
  p_starts_at  timestamptz,
  p_limit      integer      default 1000,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns setof tasker.retention_outcomes
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range    tasker.partition_ranges;
  v_old      tasker.partition_ranges[];
  v_new      tasker.partition_ranges;
  v_hold     tasker.held_partitions;
  v_answer   tasker.retention_outcomes;
  v_tasks    uuid[];
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  v_range := tasker.expired_range(p_starts_at);
  perform tasker.check_limit(p_limit, 100000);
  v_answer.starts_at := v_range.starts_at;
  v_answer.ends_at := v_range.ends_at;
  v_answer.outcome := 'busy';
  if not tasker.take_partition_turn() then
    v_answer.detail := 'another session is changing partitions';
    return next v_answer;
    return;
  end if;

  v_answer.outcome := 'held';
  select h.* into v_hold from tasker.partition_hold(v_range) as h;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = format('nothing holds the range that begins at %s', v_range.starts_at),
      hint    = 'tasker.apply_retention() drops it.';
  end if;
  v_answer.detail := case
    when v_hold.young_tasks > 0 then v_hold.reason
    when v_hold.open_tasks + v_hold.investigations > p_limit then
      format('%s, more than the %s that may be copied at once', v_hold.reason, p_limit)
    when tasker.kept_templates(v_range) <> '{}' then
      'tasks are kept longer: tasker.apply_retention() moves them, with the tasks that hold the range'
  end;
  if v_answer.detail is not null then
    return next v_answer;
    return;
  end if;

  v_old := tasker.ranges_to_evacuate(v_range);
  v_new := tasker.evacuated_range(v_old);

  begin
    v_tasks := tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid);
    perform tasker.forget_move(v_range);
    perform tasker.create_leaves(v_new.suffix);
    perform tasker.copy_stragglers(v_tasks, array(select o.suffix from unnest(v_old) as o), v_new.suffix);
    perform tasker.finish_leaves(v_new.suffix);

    v_answer.outcome := 'busy';
    v_answer.detail := tasker.lock_range(v_old);
    -- A task may have been reopened before the locks were granted.
    if v_answer.detail is null and v_tasks <> tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid) then
      v_answer.detail := 'a task in the range was reopened meanwhile';
    end if;
    if v_answer.detail is not null then
      raise exception using errcode = 'TK409', message = v_answer.detail,
      hint    = 'See tasker.held_partitions().';
    end if;

    perform tasker.drop_partition_range(o.starts_at) from unnest(v_old) as o;
    insert into tasker.partition_ranges (starts_at, ends_at, suffix, evacuations)
    values (v_new.starts_at, v_new.ends_at, v_new.suffix, v_new.evacuations);
    perform tasker.attach_leaves(v_new);

    v_answer.starts_at := v_new.starts_at;
    v_answer.outcome := 'evacuated';
    v_answer.detail := format('%s tasks moved to partitions _%s', cardinality(v_tasks), v_new.suffix);
  exception
    when sqlstate 'TK409' then
      v_answer.detail := sqlerrm;
    when lock_not_available or deadlock_detected then
      v_answer.detail := sqlerrm;
  end;
  return next v_answer;
end;
$$;

comment on function tasker.evacuate_partition is
$$Rebuilds a held range with only the tasks that hold it, and drops all other tasks. The tasks that hold a range are
open tasks and tasks under investigation. The steps, edges, history, audit and UUIDs of these tasks do not change, and
the function writes no row into the logs. The outcome is "evacuated", "held" (too many tasks, young tasks, or tasks that
are kept longer) or "busy" (with the process that is in the way).

The cost depends on the number of tasks that hold the range, not on the size of the range. Adjacent evacuated ranges are
merged, and are dropped like any other range when their tasks have ended. Locks the tasks that hold the range and their
steps, and then the run tables, as tasker.apply_retention does. Call this function in its own transaction. Raises TK404
if no range begins at p_starts_at. Raises TK409 if the range is not past its retention or if the isolation level is
above READ COMMITTED. Raises TK422 for a wrong argument, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.evacuate_partition to tasker_operator;
