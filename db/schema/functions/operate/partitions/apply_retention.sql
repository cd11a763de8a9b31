create or replace function tasker.apply_retention()
  returns setof tasker.retention_outcomes
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range  tasker.partition_ranges;
  v_answer tasker.retention_outcomes;
  v_kept   uuid[];
begin
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  -- The holder of the turn is doing the same work, or leaves it to the next call.
  if not tasker.take_partition_turn() then
    return;
  end if;

  for v_range in
    select r.*
      from tasker.partition_config as c
      join tasker.partition_ranges as r
        on r.ends_at <= tasker.clock() - c.retention
     order by r.starts_at
  loop
    v_answer.starts_at := v_range.starts_at;
    v_answer.ends_at := v_range.ends_at;

    -- A moved range stays until the retention of one of its templates has passed.
    v_kept := tasker.kept_templates(v_range);
    continue when v_range.kept <> '{}' and v_range.kept <@ v_kept;

    if v_kept = '{}' then
      perform tasker.forget_move(v_range);
    end if;
    v_answer.outcome := 'held';
    select h.reason into v_answer.detail from tasker.partition_hold(v_range) as h where v_kept = '{}' or h.young_tasks > 0;
    if found then
      return next v_answer;
      continue;
    end if;

    v_answer.outcome := 'busy';
    if v_range.retry_at > tasker.clock() then
      v_answer.detail := format('tried %s times; the next time at %s', v_range.busy_count, v_range.retry_at);
      return next v_answer;
      continue;
    end if;
    if v_kept <> '{}' then
      v_answer := tasker.move_kept(v_range, v_kept, 1000);
      return next v_answer;
      exit when v_answer.outcome <> 'busy';
      continue;
    end if;
    v_answer.detail := tasker.lock_range(array[v_range]);
    if v_answer.detail is not null then
      return next v_answer;
      -- One call queues without success at most once.
      exit when exists (
        select from tasker.partition_ranges as r where r.starts_at = v_range.starts_at and r.retry_at > tasker.clock()
      );
      continue;
    end if;

    -- Check again under the lock. From here on no session can reopen a task.
    v_answer.outcome := 'held';
    select h.reason into v_answer.detail from tasker.partition_hold(v_range) as h;
    if not found then
      perform tasker.drop_partition_range(v_range.starts_at);
      v_answer.outcome := 'dropped';
      v_answer.detail := format('partitions _%s', v_range.suffix);
    end if;
    return next v_answer;
    -- The locks last until the transaction ends, so one call drops one range.
    return;
  end loop;
end;
$$;

comment on function tasker.apply_retention is
$$Drops the oldest range past its retention that nothing holds, with the outcome "dropped". Also returns the older
ranges, with the outcome "held" and the task that holds the range, or "busy" and the process that is in the way. Each
call drops only one range. If tasks of the range are kept longer (tasker.set_retention), each call copies at most 1,000
of them ("moving"), and the last call replaces the range by the copies ("moved"). Call this function, each time in its
own transaction, until no outcome is "dropped", "moving" or "moved".

Idempotent. Returns no row if no range is past its retention, or if another session changes partitions for longer than a
second. Locks the run tables exclusively, in the engine's order, for the few milliseconds of a drop. Waits for these
locks only if no long transaction is in the way, and at most partition_lock_timeout_ms in total. After a wait without
success, does not wait for this range again for at least a minute. Raises TK409 if the isolation level is above READ
COMMITTED, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.apply_retention to tasker_orchestrator, tasker_operator;
