create or replace function tasker.maintain(p_duty text, p_search_path text, p_worker_duties boolean default false)
  returns setof tasker.maintenance_duties
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_duty    tasker.maintenance_duties;
  v_outcome tasker.maintenance_outcomes;
  v_error   text;
begin
  if p_duty is not null and not exists (select from tasker.maintenance_duties as d where d.duty = p_duty) then
    raise exception using
      errcode = 'TK404',
      message = format('maintenance has no duty "%s"', left(p_duty, 100)),
      hint    = format('The duties are %s.', (select string_agg(d.duty, ', ' order by d.position) from tasker.maintenance_duties as d));
  end if;
  -- One instance does the duty, and all other instances skip it. If the instance dies, its lock is released.
  if not tasker.try_turn('maintenance') then
    return;
  end if;

  -- Take the duty that ran longest ago, so that a duty with more work alternates with the other duties.
  select d.*
    into v_duty
    from tasker.maintenance_duties as d
   where d.duty = coalesce(p_duty, d.duty)
     and (d.worker_duty or not p_worker_duties)
     -- Without a mass action, this duty only deletes old selections, once an hour.
     and (
       d.duty <> 'mass_actions' or p_duty is not null or tasker.has_mass_actions()
       or coalesce(d.last_finished_at, '-infinity') < tasker.clock() - interval '1 hour'
     )
     and (
       p_duty is not null
       or d.more_due
       or d.last_finished_at is null
       or d.last_finished_at + make_interval(secs => tasker.setting_integer(d.interval_setting)) <= tasker.clock()
     )
   order by coalesce(d.last_finished_at, '-infinity'), d.position
   limit 1;
  if not found then
    if p_worker_duties then
      perform tasker.fire_due_timers(100);
    end if;
    return;
  end if;

  begin
    select o.* into strict v_outcome from tasker.do_maintenance_duty(v_duty.duty, v_duty.last_finished_at) as o;
  exception when others then
    -- The failed duty is rolled back. The other duties must still run.
    v_error := format('%s: %s', sqlstate, sqlerrm);
  end;

  update tasker.maintenance_duties as d
     set runs             = d.runs + 1,
         failures         = d.failures + (v_error is not null)::integer,
         more_due         = coalesce(v_outcome.more_due, false),
         last_started_at  = tasker.clock(),
         last_finished_at = greatest(tasker.clock(), tasker.clock() + (clock_timestamp() - statement_timestamp())),
         last_done        = v_outcome.done,
         last_detail      = v_outcome.detail,
         last_error       = v_error
   where d.duty = v_duty.duty
  returning d.* into v_duty;

  -- Restore the search_path, which pg_partman has set for the session. No name may be resolved after this.
  if v_duty.duty = 'partitions' and v_duty.last_done > 0
     and (select b.backend = 'pg_partman' from tasker.partition_backend() as b) then
    perform set_config('search_path', p_search_path, false);
  end if;
  return next v_duty;
end;
$$;

comment on function tasker.maintain is
$$Does a maintenance duty as tasker.run_maintenance describes. With p_worker_duties, does only a duty that workers may do. Sets the session's search_path to p_search_path if pg_partman has changed it. If no duty is due, a worker's call fires timers, including timers of namespaces from which no worker claims.

Locks the row "maintenance" of tasker.turns.$$;
