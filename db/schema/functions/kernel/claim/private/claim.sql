create or replace function tasker.claim(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[],
  p_request_uuid   uuid,
  p_ahead          integer,
  p_waiting        uuid[],
  p_settings       tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now        timestamptz := tasker.write_clock();
  v_since      timestamptz := case when tasker.timers_are_bloated() then tasker.timer_mark(v_now) else '-infinity' end;
  v_namespaces text[];
  v_none       boolean;
  v_timer      timestamptz; -- the time since which the first timer is due
  v_turns      text[];
  v_heard      boolean;
  v_request    uuid;
  v_seen_at    timestamptz;
  v_login      text;
  v_role       text;
  v_waiting    boolean; -- whether steps waited for a handler at the worker's newest exchange
  v_moves      tasker.step_moves[];
  v_noted      boolean;
  v_fired      integer := 0;
begin
  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. The first
  -- column locks the tables in that order here too, without reading a row. The other conditions use indexes.
  select
    exists (select from tasker.tasks as t where false),
    (select min(m.due_at) from tasker.timers as m where m.due_at between v_since and v_now),
    exists (select from tasker.lease_clock as c where c.heard_since >= '-infinity'),
    array(
      select n.name
        from tasker.task_namespaces as n
       where n.name >= ''
         and n.paused_at is null
         and (p_namespaces is null or n.name = any (p_namespaces))
    ),
    w.request_uuid,
    w.last_seen_at,
    w.login,
    w.role,
    cardinality(w.waiting_steps) > 0 or w.request_begun is not null
    into v_none, v_timer, v_heard, v_namespaces, v_request, v_seen_at, v_login, v_role, v_waiting
    from (select) as one
    left join tasker.workers as w
      on w.worker_uuid = p_worker_uuid;
  if v_login <> session_user or v_login is not null and v_role is distinct from tasker.set_role() then
    perform tasker.raise_other_worker(p_worker_uuid);
  end if;
  if not v_heard then
    perform tasker.note_lease_clock();
  end if;
  -- If fewer namespaces were found than were named, some namespaces are paused or do not exist.
  if p_settings.any_bound or tasker.is_scoped() or cardinality(v_namespaces) < cardinality(p_namespaces) then
    v_namespaces := tasker.claimable_namespaces(p_namespaces);
  end if;

  if v_request = p_request_uuid then
    v_moves := tasker.repeated_claim(p_worker_uuid, p_request_uuid);
  else
    -- If more timers are due than calls fire, namespaces take turns. The claim's own namespaces come first. All other
    -- namespaces have their turns while none of the claim's steps is ready.
    if v_timer < v_now - interval '1 second' then
      v_turns := v_namespaces;
    end if;
    if v_timer is not null then
      -- The claim starts as many instances of maps as it may claim steps, but at least 25 instances. Each instance
      -- costs about as much as a claimed step. It delivers events to half as many steps, because deliveries cost more.
      v_fired := tasker.fire_timers(
        row(100, greatest(p_limit, 25), greatest(p_limit / 2, 5), interval '0', p_worker_uuid)::tasker.fire_budgets, v_since, v_turns, (random() < 0.05)::integer
      );
    end if;
    v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
    if (v_since > '-infinity' or v_turns is not null) and v_fired = 0 and cardinality(v_moves) = 0 then
      -- If there is no other work, fire all due timers, including timers before the mark and timers of all namespaces.
      v_fired := tasker.fire_timers(
        row(100, greatest(p_limit, 25), greatest(p_limit / 2, 5), interval '0', p_worker_uuid)::tasker.fire_budgets, '-infinity', v_turns, 10
      );
      if v_fired > 0 then
        v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
      end if;
    end if;
    -- No step is ready, so no step waits while the worker also fires the timers that the first timers made due. For
    -- example, the end of a child reaches the parent, the parent fails and is undone, and its compensation starts. The
    -- worker also delivers an event to more steps.
    for v_round in 1 .. 3 loop
      exit when v_fired = 0 or cardinality(v_moves) > 0 or not tasker.fire_rest(case v_round when 1 then 100 else 0 end, p_worker_uuid);
      v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
    end loop;
    if v_waiting or cardinality(p_waiting) > 0 then
      v_seen_at := null; -- the worker's record of its waiting steps has to be written
    end if;
    v_noted := tasker.note_worker(p_worker_uuid, p_request_uuid, v_seen_at, v_moves, p_limit - p_ahead, p_waiting);
  end if;
  return v_moves;
end;
$$;

comment on function tasker.claim is
$$Claims steps with checked arguments: first does the work that is due, then takes and starts steps. Returns the starts, which tasker.describe_claims describes.$$;
