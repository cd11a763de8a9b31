create or replace function tasker.evacuate_partition(p_starts_at timestamptz, p_max_tasks integer default 1000)
  returns setof tasker.retention_outcomes
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range    tasker.partition_ranges;
  v_before   tasker.partition_ranges;
  v_old      tasker.partition_ranges[];
  v_new      tasker.partition_ranges;
  v_hold     tasker.held_partitions;
  v_answer   tasker.retention_outcomes;
  v_tasks    uuid[];
begin
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  v_range := tasker.expired_range(p_starts_at);
  if p_max_tasks is null or p_max_tasks not between 1 and 100000 then
    raise exception using
      errcode = 'TK422',
      message = format('max_tasks is %s; it must be between 1 and 100000', coalesce(p_max_tasks::text, 'null')),
      hint    = 'Call it again for what is left.';
  end if;
  v_answer.starts_at := v_range.starts_at;
  v_answer.ends_at := v_range.ends_at;
  v_answer.outcome := 'busy';
  if not tasker.take_partition_turn() then
    v_answer.detail := 'another session is at the partitions';
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
  elsif v_hold.young_tasks > 0 then
    v_answer.detail := v_hold.reason;
    return next v_answer;
    return;
  elsif v_hold.open_tasks + v_hold.investigations > p_max_tasks then
    v_answer.detail := format('%s, more than the %s that may be copied at once', v_hold.reason, p_max_tasks);
    return next v_answer;
    return;
  end if;

  -- With the one before it, if that is nothing but stragglers either: so they do not grow in number.
  select r.* into v_before
    from tasker.partition_ranges as r
   where r.ends_at <= v_range.starts_at
   order by r.starts_at desc
   limit 1;
  v_old := array[v_range];
  if v_before.evacuations > 0 then
    v_old := v_before || v_old;
  end if;
  v_new := v_old[1];
  v_new.ends_at := v_range.ends_at;
  v_new.to_uuid := v_range.to_uuid;
  v_new.evacuations := v_new.evacuations + 1;
  v_new.suffix := regexp_replace(v_new.suffix, '(_e[0-9]+)?$', '_e' || v_new.evacuations);

  begin
    v_tasks := tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid);
    perform tasker.create_leaves(v_new.suffix);
    perform tasker.copy_stragglers(v_tasks, array(select o.suffix from unnest(v_old) as o), v_new.suffix);
    perform tasker.finish_leaves(v_new.suffix);

    v_answer.outcome := 'busy';
    v_answer.detail := tasker.lock_range(v_old);
    -- A task may have been opened again before the locks were there.
    if v_answer.detail is null and v_tasks <> tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid) then
      v_answer.detail := 'a task of it was opened again meanwhile';
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
      null;
    when lock_not_available or deadlock_detected then
      v_answer.detail := sqlerrm;
  end;
  return next v_answer;
end;
$$;

comment on function tasker.evacuate_partition(timestamptz, integer) is
$$Makes a held range anew with nothing in it but the tasks that hold it: those that have not ended, and those under investigation, with their steps, edges, history and audit as they are. All else in it is dropped. Their UUIDs stay, no row is logged. Outcome evacuated, held (too many tasks, or young ones) or busy (who is in the way).

Costs what the stragglers cost, whatever the size of the range; two evacuated ranges that follow one another become one, and are dropped like any other when their tasks have ended. Locks those tasks and their steps, and then, as tasker.apply_retention does, the run tables. In a transaction of its own. Raises TK404 if no range begins at p_starts_at, TK409 if it has not reached its age or above read committed, TK422 for a wrong argument, TK403 if the caller is bound to namespaces.$$;

revoke all on function tasker.evacuate_partition(timestamptz, integer) from public;
grant execute on function tasker.evacuate_partition(timestamptz, integer) to tasker_operator;
