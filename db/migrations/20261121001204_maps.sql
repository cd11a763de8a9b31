-- maps: steps that run for each element of an array
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/features/maps/map_arrays.sql
create or replace view tasker.map_arrays as
select
  null::integer as size,
  null::jsonb as elements,
  null::integer as last_no,
  null::text as problem
where false;

comment on view tasker.map_arrays is
  'Row type: the number of elements of a map''s array, and the next elements. If the elements are results of another map, last_no is the number of the last instance whose result was read. If there is no array, problem is the reason.';
-- <<<

-- >>> db/schema/functions/features/maps/private/map_failures.sql
create or replace function tasker.map_failures(p_map tasker.workflow_steps)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  -- The settled parents that did not satisfy the map, without the map's own parents, are the instances that did not
  -- succeed.
  select (p_map).total_parents - (p_map).pending_parents - (p_map).satisfied_parents
    - jsonb_array_length((p_map).expansion -> 'parents') + ((p_map).expansion ->> 'satisfied')::integer;
end;

comment on function tasker.map_failures is
$$Returns the number of cancelled instances of an expanded map. An instance is cancelled if its failure was tolerated, or by an operator.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_failure.sql
create or replace function tasker.map_failure(p_map tasker.workflow_steps, p_failures integer)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select format(
    '%s of its %s elements failed, and allow_failures is %s',
    p_failures, (p_map).expansion ->> 'elements', (p_map).for_each ->> 'allow_failures'
  );
end;

comment on function tasker.map_failure is
$$Returns the error of a map with more failed elements than allow_failures.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/tolerance_moves.sql
create or replace function tasker.tolerance_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[];
  v_tasks uuid[];
  v_maps  integer[];
begin
  with failed as (
    select
      m.task_uuid, m.step_no, c.map, tasker.map_failures(c.map) as before,
      row_number() over (partition by m.task_uuid, (c.map).step_no order by m.step_no)::integer as place
      from unnest(p_moves) as m
     cross join lateral (
       select i.map_no
         from tasker.workflow_steps as i
        where i.task_uuid = m.task_uuid
          and i.step_no = m.step_no
       offset 0
     ) as i
     cross join lateral (
       select c as map
         from tasker.workflow_steps as c
        where c.task_uuid = m.task_uuid
          and c.step_no = i.map_no
          and c.state = 'pending'
          and c.for_each ? 'allow_failures'
       offset 0
     ) as c
     where m.to_state = 'error'
       and m.event is not null
  ),
  judged as (
    select f.*, f.before + f.place <= ((f.map).for_each ->> 'allow_failures')::integer as tolerated
      from failed as f
  ),
  moves as (
    select j.task_uuid, j.step_no, 'error'::tasker.step_state as from_state, 'Tolerate' as event,
           'cancelled'::tasker.step_state as to_state, null as error
      from judged as j
     where j.tolerated
    union all
    select j.task_uuid, (j.map).step_no, 'pending', 'Fail', 'error', max(tasker.map_failure(j.map, j.before + j.place))
      from judged as j
     where not j.tolerated
     group by j.task_uuid, (j.map).step_no
  )
  select
    array_agg(tasker.step_move(
      p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => m.from_state, p_event => m.event,
      p_to_state => m.to_state, p_error => m.error,
      p_metadata => case when m.error is not null then jsonb_build_object('error', m.error) end
    )),
    array_agg(m.task_uuid) filter (where m.event = 'Fail'),
    array_agg(m.step_no) filter (where m.event = 'Fail')
    into v_moves, v_tasks, v_maps
    from moves as m;

  -- Cancel the instances of a failed map that have not started. Skip a step that a claim has locked, because it is
  -- starting.
  if v_maps is not null then
    v_moves := v_moves || array(
      select tasker.step_move(
        p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state, p_event => 'Cancel',
        p_to_state => 'cancelled'
      )
        from unnest(v_tasks, v_maps) as u (task_uuid, map_no)
       cross join lateral (
         select s.task_uuid, s.step_no, s.state
           from tasker.workflow_steps as s
          where s.task_uuid = u.task_uuid
            and s.map_no = u.map_no
            and (s.state = 'enqueued' or s.state = 'suspended' and s.await is not null and s.child_task_uuid is null)
          order by s.step_no
            for no key update skip locked
       ) as s
    );
  end if;
  return array(select m from unnest(v_moves) as m order by m.task_uuid, m.step_no);
end;
$$;

comment on function tasker.tolerance_moves is
$$Returns the moves that follow when instances of maps with allow_failures have failed for good. An instance whose failure is tolerated is cancelled. If more instances fail than the map allows, the map itself fails, and its instances that have not started are cancelled. Locks these instances, and skips locked ones. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/failure_moves.sql
create or replace function tasker.failure_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'error', p_event => 'Tolerate',
      p_to_state => 'cancelled',
      p_reason => coalesce(format('step "%s" waits for its failure', w.name), 'a step further down waits for a failure'),
      p_metadata => jsonb_build_object('guard', 'a step waits for its failure')
    )
      from unnest(p_moves) as m
     cross join lateral (
       select s.task_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and s.effects & 1024 <> 0
          and s.map_no is null
          and s.undo_no is null
       offset 0
     ) as s
     cross join lateral (
       select t.named_task_uuid
         from tasker.tasks as t
        where t.task_uuid = m.task_uuid
          and (t.undo ? 'phase') is not true
       offset 0
     ) as t
      left join lateral (
        select c.step_name as name
          from tasker.named_task_edges as e
          join tasker.named_tasks_named_steps as c
            on c.named_task_uuid = e.named_task_uuid
           and c.step_no = e.to_step_no
         where e.named_task_uuid = t.named_task_uuid
           and e.from_step_no = m.step_no
           and e.outcome is not null
         order by e.to_step_no
         limit 1
      ) as w
        on true
     where m.to_state = 'error'
       and m.event is not null
     order by m.task_uuid, m.step_no
  );
end;
$$;

comment on function tasker.failure_moves is
$$Returns the moves that settle steps which have just failed for good, if another step waits for their failure. The steps below can then be decided. Excludes instances of maps, because the map decides about them, and steps of a task that is being undone.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/note_races.sql
create or replace function tasker.note_races(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select s.task_uuid, s.step_no, 'end_race', tasker.clock(), tasker.namespace_of_task(s.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.pending_parents > 0
     offset 0
   ) as s
   where m.effects & 2048 <> 0
     and m.to_state in ('enqueued', 'suspended')
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    -- Wake clients that sleep until work is due, because the note is due now.
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.note_races is
$$Writes a note for each step with join: first that begins while other dependencies are open. The note is a timer that is due at once; usually the claim of the same exchange fires it. The note cancels the other branches. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/patience/private/bound_starts.sql
create or replace function tasker.bound_starts(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select
    s.task_uuid, s.step_no, 'start_within', greatest(m.moved_at, tasker.write_clock()) + s.start_within * interval '1 second',
    tasker.namespace_of_task(s.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no, k.start_within
       from tasker.workflow_steps as s
       join tasker.tasks as t
         on t.task_uuid = s.task_uuid
       join tasker.named_tasks_named_steps as k
         on k.named_task_uuid = t.named_task_uuid
        and k.step_no = coalesce(s.map_no, s.step_no)
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
     offset 0
   ) as s
   where m.to_state = 'enqueued'
     and m.from_state <> 'in_progress'
     and s.start_within is not null
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at,
         xact   = excluded.xact;
  if found then
    -- Wake clients that sleep until work is due, because the new timers may be due sooner.
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.bound_starts is
$$Writes a timer for each enqueued step that may wait for a worker only for a limited time (start_within). After a retry or the end of a wait, the time begins again. A start does not delete the timer. For a step that goes from its worker back to the queue, no timer is written, because its caller does not hold the task; its old timer is postponed when it fires (tasker.fail_late_starts). The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/race_losers.sql
create or replace function tasker.race_losers(p_task_uuid uuid, p_step_no integer)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template uuid;
  v_added    boolean;
begin
  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;
  return array(
    with recursive above (step_no) as (
      select e.from_step_no
        from tasker.step_parents(p_task_uuid, v_template, v_added, p_step_no) as e
      union
      select e.from_step_no
        from above as a
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, a.step_no) as e
    ),
    open (step_no) as materialized (
      select a.step_no
        from above as a
       cross join lateral (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = p_task_uuid
            and s.step_no = a.step_no
            and s.state not in ('complete', 'cancelled', 'resolved_manually')
         offset 0
       ) as s
    ),
    -- A step stays if another step needs it. The other step either is outside the race and has not begun, or stays
    -- itself.
    kept (step_no) as (
      select o.step_no
        from open as o
       where exists (
         select
           from tasker.step_children(p_task_uuid, v_template, v_added, o.step_no) as e
          cross join lateral (
            select
              from tasker.workflow_steps as c
             where c.task_uuid = p_task_uuid
               and c.step_no = e.to_step_no
               and c.state = 'pending'
            offset 0
          ) as c
          where e.to_step_no <> p_step_no
            and e.to_step_no not in (select a.step_no from above as a)
       )
      union
      select e.from_step_no
        from kept as k
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, k.step_no) as e
       where e.from_step_no in (select o.step_no from open as o)
    )
    select o.step_no
      from open as o
     where o.step_no not in (select k.step_no from kept as k)
     order by o.step_no
  );
end;
$$;

comment on function tasker.race_losers is
$$Returns the steps above a step with join: first that are open or have failed and for which no other step waits. The returned steps are the branches that lost the race. The cost is linear in the steps and edges above the step.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/end_race.sql
create or replace function tasker.end_race(p_task_uuid uuid, p_step_no integer, p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task    tasker.task_facts := (tasker.task_facts(array[p_task_uuid]))[1];
  v_step    tasker.workflow_steps;
  v_losers  integer[];
  v_running integer[];
  v_moves   tasker.step_moves[] := '{}';
begin
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') or v_task.undo ? 'phase' then
    return;
  end if;
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  -- If the step is pending, it is to run again. Another note follows when it begins again.
  if v_step.state <> 'pending' then
    v_losers := tasker.race_losers(p_task_uuid, p_step_no);
    -- Claims do not lock the task. So lock the steps, so that no claim changes their states before the moves are written.
    v_moves := array(
      select tasker.step_move(
        p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state, p_event => 'Cancel',
        p_to_state => 'cancelled', p_reason => format('step "%s" has begun with the first result', v_step.name)
      )
        from (
          select s.task_uuid, s.step_no, s.state
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
             and s.step_no = any (v_losers)
           order by s.step_no
             for no key update
        ) as s
       where s.state not in ('complete', 'cancelled', 'resolved_manually')
       order by s.step_no
    );
  end if;
  v_running := array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress');
  if v_running <> '{}' then
    perform tasker.notify_cancelled(v_task.namespace, p_task_uuid, v_running);
  end if;
  -- Call this even without a move: it decides the task's state again, now that the task no longer has the note.
  perform tasker.apply_moves(v_moves, array[v_task], p_processor);
end;
$$;

comment on function tasker.end_race is
$$Cancels the steps that a step with join: first did not wait for. The cancelled steps are above this step, are open or have failed, and no other step needs them. Notifies the workers of running steps. Does nothing if the step is to run again or its task has ended. Locks the steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/end_races.sql
create or replace function tasker.end_races(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_note record;
begin
  for v_note in
    select u.task_uuid, u.step_no from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no) order by u.task_uuid, u.step_no
  loop
    delete from tasker.timers as m
     where m.task_uuid = v_note.task_uuid
       and m.step_no = v_note.step_no
       and m.kind = 'end_race';
    perform tasker.end_race(v_note.task_uuid, v_note.step_no, p_processor);
  end loop;
end;
$$;

comment on function tasker.end_races is
$$Ends the races above these steps, which have join: first, and deletes the notes of the races. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/patience/private/late_start.sql
create or replace function tasker.late_start(p_task_uuid uuid, p_step_no integer, p_start_within numeric)
  returns tasker.step_moves
  language sql
  immutable
  parallel safe
begin atomic
  select tasker.step_move(
    p_task_uuid => p_task_uuid, p_step_no => p_step_no, p_from_state => 'enqueued', p_event => 'Fail', p_to_state => 'error',
    p_error => e.error, p_metadata => jsonb_build_object('error', e.error, 'permanent', true)
  )
    from (select format('no worker has started it within %s seconds', trim_scale(p_start_within)) as error) as e;
end;

comment on function tasker.late_start is
$$Returns the move that fails a step that no worker has started in time.$$;
-- <<<

-- >>> db/schema/functions/features/patience/private/fail_late_starts.sql
create or replace function tasker.fail_late_starts(p_due tasker.timers[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz;
  v_timer  record;
  v_step   record;
  v_again  timestamptz; -- when the timer is due again
  v_moves  tasker.step_moves[] := '{}';
begin
  for v_timer in
    select
      d.task_uuid, d.step_no, k.start_within, k.start_within * interval '1 second' as within
      from unnest(p_due) as d
     cross join lateral (
       select k.start_within
         from tasker.workflow_steps as s
         join tasker.tasks as t
           on t.task_uuid = s.task_uuid
         join tasker.named_tasks_named_steps as k
           on k.named_task_uuid = t.named_task_uuid
          and k.step_no = coalesce(s.map_no, s.step_no)
        where s.task_uuid = d.task_uuid
          and s.step_no = d.step_no
       offset 0
     ) as k
     order by d.task_uuid, d.step_no
  loop
    -- Claims lock steps and not the task. A locked step is being started, or its attempt is ending.
    select s.state, s.moved_at, s.lease_until
      into v_step
      from tasker.workflow_steps as s
     where s.task_uuid = v_timer.task_uuid
       and s.step_no = v_timer.step_no
       for no key update skip locked;
    v_now := tasker.write_clock();
    v_again := case
      when v_step.state is null then v_now + interval '1 second'
      when v_step.state = 'in_progress' then greatest(v_step.lease_until, v_now) + v_timer.within
      when v_step.state = 'enqueued' then v_timer.within + (
        select greatest(v_step.moved_at, q.visible_at)
          from tasker.step_queue as q
         where q.task_uuid = v_timer.task_uuid
           and q.step_no = v_timer.step_no
      )
    end;
    if v_again > v_now then
      update tasker.timers as t
         set due_at = v_again
       where t.task_uuid = v_timer.task_uuid
         and t.step_no = v_timer.step_no
         and t.kind = 'start_within';
      continue;
    end if;
    delete from tasker.timers as t
     where t.task_uuid = v_timer.task_uuid
       and t.step_no = v_timer.step_no
       and t.kind = 'start_within';
    if v_step.state = 'enqueued' then
      v_moves := v_moves || tasker.late_start(v_timer.task_uuid, v_timer.step_no, v_timer.start_within);
    end if;
  end loop;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(v_moves, tasker.task_facts(array(select distinct m.task_uuid from unnest(v_moves) as m)), p_processor);
  end if;
end;
$$;

comment on function tasker.fail_late_starts is
$$Permanently fails the steps that no worker has started in time, and deletes their timers. The timer of a running step is postponed: it is due when the step could have gone back to the queue at the end of its lease and then waited for start_within. Locks the steps; if a claim has a step locked, its timer is due again in a second. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/mark_failures.sql
create or replace function tasker.mark_failures(p_named_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  with recursive above (step_no) as (
    select e.from_step_no
      from tasker.named_task_edges as e
     where e.named_task_uuid = p_named_task_uuid
       and e.outcome is not null
    union
    select e.from_step_no
      from above as a
     cross join lateral (
       select e.from_step_no
         from tasker.named_task_edges as e
        where e.named_task_uuid = p_named_task_uuid
          and e.to_step_no = a.step_no
       offset 0
     ) as e
  )
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 1024
    from above as a
   where s.named_task_uuid = p_named_task_uuid
     and s.step_no = a.step_no;
end;
$$;

comment on function tasker.mark_failures is
$$Marks the steps of a template whose failure another step waits for, directly or further below. Such a failure settles the step instead of blocking the task. The cost is linear in the edges above the waiting steps.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/steps_registered.sql
create or replace function tasker.steps_registered(p_named_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  perform tasker.mark_failures(p_named_task_uuid);
end;
$$;

comment on function tasker.steps_registered is
$$Door: the steps and edges of a template have been inserted, and a step of the template waits for an outcome other than success.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/steps_added.sql
create or replace function tasker.steps_added(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
as $$
begin
  perform tasker.mark_sealed_additions(p_task_uuid, p_last);
  perform tasker.hold_additions(p_task_uuid, p_last);
end;
$$;

comment on function tasker.steps_added is
$$Door: steps with numbers above p_last were added to a task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/doors/moves/private/follow_moves.sql
create or replace function tasker.follow_moves(p_moves tasker.step_moves[], p_effects smallint)
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  -- The effects are: 1 (waits): a wait begins, and its signal or event may be there already. 32 (maps and branches): a
  -- step has failed, and its failure may be allowed, or another step waits for the failure. Each step has at most one
  -- of these moves, because tolerance_moves moves only instances of maps, and failure_moves only other steps.
  if p_effects & 32 <> 0 then
    return array(
      select m
        from unnest(tasker.tolerance_moves(p_moves) || tasker.failure_moves(p_moves)) as m
       order by m.task_uuid, m.step_no
    );
  end if;
  return tasker.kept_signal_moves(p_moves);
end;
$$;

comment on function tasker.follow_moves is
$$Door: returns the moves that features derive from these moves in the same call, for the same steps or other steps of
their tasks. p_effects are the effects of the moves, 1 or 32. Callers call this door while they process a level of the
graph. Locks other steps of these tasks without waiting.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/halted_tasks.sql
create or replace function tasker.halted_tasks(p_tasks tasker.task_facts[], p_moves tasker.step_moves[])
  returns uuid[]
  language plpgsql
  immutable
as $$
begin
  return array(
    select f.task_uuid
      from unnest(p_tasks) as f
     where tasker.task_halts(f.on_failure, f.failed_steps + (
       select count(*) filter (where m.to_state = 'error') - count(*) filter (where m.from_state = 'error')
         from unnest(p_moves) as m
        where m.task_uuid = f.task_uuid
          and m.event is not null
     )::integer)
  );
end;
$$;

comment on function tasker.halted_tasks is
$$Returns the tasks that start no more steps after these moves, because they have a failure that was not tolerated and their template halts on failures.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/array_step.sql
create or replace function tasker.array_step(p_task_uuid uuid, p_map_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select m.for_each ->> 'step'
      from tasker.workflow_steps as m
     where m.task_uuid = p_task_uuid
       and m.step_no = p_map_no
  );
end;
$$;

comment on function tasker.array_step is
$$Returns the name of the step whose result a map runs over, or null if the map runs over the context. An instance has its element of that result, so a claim does not send the whole result to each instance.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/note_maps.sql
create or replace function tasker.note_maps(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select u.task_uuid, u.step_no, 'expand_map', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- Wake clients that sleep until work is due, because the notes are due now.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_maps is
$$Writes notes for maps that can start instances or can end. The notes are timers that are due at once; usually the claim of the same exchange fires them. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/doors/moves/private/maps_ready.sql
create or replace function tasker.maps_ready(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.note_maps(p_task_uuids, p_step_nos);
end;
$$;

comment on function tasker.maps_ready is
$$Door: these maps no longer wait for a parent, or may start more of their instances. Inserts timers.$$;
-- <<<

-- >>> db/schema/functions/doors/moves/private/steps_rerun.sql
create or replace function tasker.steps_rerun(p_task_uuid uuid, p_step_nos integer[], p_replaced integer[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.forget_runs(p_task_uuid, p_step_nos);
  perform tasker.replace_children(p_task_uuid, p_step_nos || p_replaced);
  perform tasker.replace_instances(p_task_uuid, p_step_nos, p_replaced);
end;
$$;

comment on function tasker.steps_rerun is
$$Door: these steps of a task run again, and new instances replace the instances p_replaced of the task's maps. Deletes
the kept results of durable functions, and detaches steps from the tasks that they started and maps from their
instances. The caller holds the locks of the task and its steps, and counts parents afterwards.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/clear_map_note.sql
create or replace function tasker.clear_map_note(p_task_uuid uuid, p_step_no integer)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.timers as m
   where m.task_uuid = p_task_uuid
     and m.step_no = p_step_no
     and m.kind = 'expand_map';
end;
$$;

comment on function tasker.clear_map_note is
$$Deletes the note of a map for which no work is due. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/new_expansion.sql
create or replace function tasker.new_expansion(p_map tasker.workflow_steps)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
        'expanded', 0,
        'parents', coalesce(jsonb_agg(e.from_step_no order by e.from_step_no), '[]'),
        'satisfied', p_map.satisfied_parents,
        'source', min(e.from_step_no) filter (where p.name = p_map.for_each ->> 'step')
      )
      -- Keep the map's own join, because the map waits for its instances with the join "settled" until it begins again.
      || case when p_map.join_mode <> 'all' then jsonb_build_object('join', p_map.join_mode) else '{}' end
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.name
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = p_map.task_uuid
       and e.to_step_no = p_map.step_no
  );
end;
$$;

comment on function tasker.new_expansion is
$$Returns the state of a map that has no instances yet: its own parents, how many of the parents satisfy the map, and the parent whose result has the array.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_instances.sql
create or replace function tasker.map_instances(p_task_uuid uuid, p_map_no integer)
  returns setof tasker.workflow_steps
  language plpgsql
  stable
as $$
begin
  return query
  select i.*
    from tasker.added_step_edges as e
   cross join lateral (
     select i.*
       from tasker.workflow_steps as i
      where i.task_uuid = e.task_uuid
        and i.step_no = e.from_step_no
        and i.map_no = p_map_no
     offset 0
   ) as i
   where e.task_uuid = p_task_uuid
     and e.to_step_no = p_map_no;
end;
$$;

comment on function tasker.map_instances is
$$Returns the instances of a map. Their edges make them parents of the map.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_array_problem.sql
create or replace function tasker.map_array_problem(
  p_map     tasker.workflow_steps,
  p_source  tasker.workflow_steps,
  p_value   jsonb
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_path  text := p_map.for_each ->> 'path';
  v_types jsonb;
begin
  if p_value is null and p_source.expansion is not null then
    return format(
      'the results of map "%s" are larger than %s bytes', p_source.name, tasker.setting_integer('result_bytes')
    );
  elsif p_value is null then
    return format('step "%s" has no result', p_map.for_each ->> 'step');
  end if;

  v_types := jsonb_path_query_array(p_value, format('(%s).type()', v_path)::jsonpath, '{}', true);
  return case
    when jsonb_array_length(v_types) <> 1 then
      format('for_each: %s leads to %s values, not to one array', v_path, jsonb_array_length(v_types))
    when v_types ->> 0 <> 'array' then
      format('for_each: %s is a JSON %s, not an array', v_path, v_types ->> 0)
  end;
end;
$$;

comment on function tasker.map_array_problem is
$$Returns the reason why a map has no array to run over, or null if the map has an array. The reasons are: the map's source has no result, the source is a map whose results are too large, or the path does not lead to exactly one array in p_value.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_room_problem.sql
create or replace function tasker.map_room_problem(p_map tasker.workflow_steps, p_left integer, p_last integer)
  returns text
  language plpgsql
  stable
as $$
declare
  v_undo integer;
begin
  -- If no step was added to the task since the last count, the task still has room.
  if (p_map.expansion ->> 'others')::integer = p_last - (p_map.expansion ->> 'expanded')::integer then
    return null;
  end if;
  if p_last + p_left > 65535 then
    return format(
      'for_each: %s elements and the %s steps of the task are more than the 65535 steps that a task may have', p_left, p_last
    );
  end if;
  -- A step that can be undone counts twice, because its compensation is a step, too.
  if (select t.undo is not null from tasker.tasks as t where t.task_uuid = p_map.task_uuid) then
    select count(*) + case when p_map.compensate_uuid is null then 0 else p_left end
      into v_undo
      from tasker.workflow_steps as s
     where s.task_uuid = p_map.task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null;
    if p_last + p_left + v_undo > 65535 then
      return format(
        'for_each: %s elements, the %s steps of the task and %s compensations are more than the 65535 steps that a task may have: a step with a compensation counts twice',
        p_left, p_last, v_undo
      );
    end if;
  end if;
  return null;
end;
$$;

comment on function tasker.map_room_problem is
$$Returns the reason why a task whose last step number is p_last has no room for p_left more instances of a map, or null if it has room. An instance with a compensation counts twice.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/next_map_results.sql
create or replace function tasker.next_map_results(p_map tasker.workflow_steps, p_limit integer)
  returns tasker.map_arrays
  language plpgsql
  stable
as $$
declare
  v_array tasker.map_arrays;
begin
  v_array.size := p_map.expansion ->> 'elements';
  select coalesce(jsonb_agg(i.results order by i.step_no), '[]'), max(i.step_no)
    into v_array.elements, v_array.last_no
    from (
      select i.step_no, i.results
        from tasker.added_step_edges as e
       cross join lateral (
         select i.step_no, i.results, i.map_no
           from tasker.workflow_steps as i
          where i.task_uuid = e.task_uuid
            and i.step_no = e.from_step_no
         offset 0
       ) as i
       where e.task_uuid = p_map.task_uuid
         and e.to_step_no = (p_map.expansion ->> 'source')::integer
         and e.from_step_no > coalesce((p_map.expansion ->> 'last_no')::integer, 0)
         and i.map_no = e.to_step_no
       order by e.from_step_no
      offset case when p_map.expansion ? 'last_no' then 0 else (p_map.expansion ->> 'expanded')::integer end
       limit p_limit
    ) as i;
  return v_array;
end;
$$;

comment on function tasker.next_map_results is
$$Returns the next results of the source of p_map, if the source is itself a map: at most p_limit results. Does not read the other results.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_array.sql
create or replace function tasker.map_array(p_map tasker.workflow_steps, p_limit integer)
  returns tasker.map_arrays
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_array  tasker.map_arrays;
  v_path   text    := p_map.for_each ->> 'path';
  v_from   integer := p_map.expansion ->> 'expanded';
  v_source tasker.workflow_steps;
  v_value  jsonb;
begin
  v_array.problem := 'for_each: ' || tasker.regex_error(v_path);
  if v_array.problem is not null then
    return v_array;
  end if;
  if p_map.for_each ? 'step' then
    select p.*
      into v_source
      from tasker.workflow_steps as p
     where p.task_uuid = p_map.task_uuid
       and p.step_no = (p_map.expansion ->> 'source')::integer;
    v_value := v_source.results;
  else
    v_value := (select t.context from tasker.tasks as t where t.task_uuid = p_map.task_uuid);
  end if;

  if v_value is null and v_source.expansion is not null and v_path = '$' and p_map.expansion ? 'elements' then
    return tasker.next_map_results(p_map, p_limit);
  elsif v_value is null and v_source.expansion is not null then
    v_value := tasker.map_results(p_map.task_uuid, v_source.step_no, tasker.setting_integer('result_bytes'));
  end if;

  if p_map.expansion ? 'elements' then
    v_array.size := p_map.expansion ->> 'elements';
  else
    v_array.problem := tasker.map_array_problem(p_map, v_source, v_value);
    if v_array.problem is not null then
      return v_array;
    end if;
    v_array.size := jsonb_path_query_first(v_value, format('(%s).size()', v_path)::jsonpath, '{}', true);
  end if;
  v_array.elements := case
    when p_limit > 0 and v_from < v_array.size then jsonb_path_query_array(
      v_value, format('(%s)[%s to %s]', v_path, v_from, least(v_from + p_limit, v_array.size) - 1)::jsonpath, '{}', true
    )
    else '[]'
  end;
  return v_array;
end;
$$;

comment on function tasker.map_array is
$$Returns the size of a map's array and its next elements that have no instance yet, at most p_limit, or the reason why there is no array. The array is in the task's context or in a parent's result. The array is checked only once, when the map begins.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/insert_instances.sql
create or replace function tasker.insert_instances(
  p_map        tasker.workflow_steps,
  p_namespace  text,
  p_elements   jsonb,
  p_last       integer
)
  returns integer[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_from    integer     := p_map.expansion ->> 'expanded';
  v_count   integer     := jsonb_array_length(p_elements);
  -- An instance has a handler, or waits for a task.
  v_event   text              := case when p_map.await is null then 'Enqueue' else 'Suspend' end;
  v_state   tasker.step_state := case when p_map.await is null then 'enqueued' else 'suspended' end;
  v_key     jsonpath;
  v_context jsonb;
begin
  if p_map.limit_no is not null then
    select k.limit_key, t.context
      into v_key, v_context
      from tasker.tasks as t
      join tasker.named_tasks_named_steps as k
        on k.named_task_uuid = t.named_task_uuid
       and k.step_no = p_map.step_no
     where t.task_uuid = p_map.task_uuid;
  end if;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, satisfied_parents,
    max_attempts, retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier,
    max_backoff_seconds, inputs, await, map_no, limit_no, limit_key, compensate_uuid, effects
  )
  select
    p_map.task_uuid, p_last + e.place, tasker.step_uuid(p_map.task_uuid, p_last + e.place), p_map.named_step_uuid,
    format('%s[%s]', p_map.name, v_from + e.place - 1), v_state, 'settled',
    jsonb_array_length(p_map.expansion -> 'parents'), (p_map.expansion ->> 'satisfied')::integer,
    p_map.max_attempts, p_map.retryable, p_map.priority, 1, p_map.timeout_seconds, p_map.backoff_base_seconds,
    p_map.backoff_multiplier, p_map.max_backoff_seconds,
    p_map.inputs || jsonb_build_object('element', e.value, 'index', v_from + e.place - 1), p_map.await, p_map.step_no,
    p_map.limit_no,
    -- The path of the limit's key may lead into the element.
    case when v_key is null then p_map.limit_key else tasker.limit_key_of(
      v_key, v_context, p_map.inputs || jsonb_build_object('element', e.value, 'index', v_from + e.place - 1)
    ) end,
    p_map.compensate_uuid, p_map.effects
  from (
    select q.value, q.place::integer as place
      from jsonb_array_elements(p_elements) with ordinality as q (value, place)
  ) as e;

  perform tasker.write_ready(
    array(
      select tasker.step_move(
        p_task_uuid => p_map.task_uuid, p_step_no => p_last + n, p_from_state => 'pending', p_event => v_event,
        p_to_state => v_state, p_claim_no => 0, p_transition_count => 1, p_priority => p_map.priority,
        p_named_step_uuid => p_map.named_step_uuid, p_moved_at => v_now, p_effects => p_map.effects
      )
        from generate_series(1, v_count) as n
    ),
    p_namespace, v_now, tasker.effects_of_move(p_map.effects, 'pending', v_state)
  );

  -- The parents of the map are also the parents of its instances, so that the instances' handlers get the
  -- same results.
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select p_map.task_uuid, e.from_step_no, p_last + n, e.condition
    from jsonb_array_elements(p_map.expansion -> 'parents') as p (value)
   cross join lateral (
     select e.from_step_no, e.condition
       from tasker.workflow_step_edges as e
      where e.task_uuid = p_map.task_uuid
        and e.from_step_no = p.value::integer
        and e.to_step_no = p_map.step_no
     offset 0
   ) as e
   cross join generate_series(1, v_count) as n
  union all
  select p_map.task_uuid, p_last + n, p_map.step_no, null
    from generate_series(1, v_count) as n;
  return array(select generate_series(p_last + 1, p_last + v_count));
end;
$$;

comment on function tasker.insert_instances is
$$Inserts the instances of a map for the next elements of its array, with step numbers above p_last. The instances are enqueued, or suspended if each of them starts a task. Inserts the steps, their log, their queue rows, the edges from the map's parents to the instances, and the edges from the instances to the map. Returns the step numbers of the instances. The caller holds the task's lock and updates the counters of the map and of the task.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/replace_instances.sql
create or replace function tasker.replace_instances(p_task_uuid uuid, p_step_nos integer[], p_replaced integer[])
  returns void
  language plpgsql
as $$
begin
  -- When the task is decided again, new notes are written for maps that are ready.
  delete from tasker.timers as m
   where m.task_uuid = p_task_uuid
     and m.step_no = any (p_step_nos)
     and m.kind = 'expand_map';
  if p_replaced <> '{}' then
    delete from tasker.added_step_edges as e
     using unnest(p_replaced) as u (step_no), tasker.workflow_steps as i
     where e.task_uuid = p_task_uuid
       and i.task_uuid = p_task_uuid
       and i.step_no = u.step_no
       and (e.to_step_no = u.step_no or e.from_step_no = u.step_no and e.to_step_no = i.map_no);
  end if;
  -- Reset only maps without remaining instances: a map that lost all its instances, or had none because its array was
  -- empty. If only single instances of a map run again, the map keeps its other instances.
  update tasker.workflow_steps as s
     set expansion = null,
         join_mode = coalesce(s.expansion ->> 'join', 'all')
   where s.task_uuid = p_task_uuid
     and s.step_no = any (p_step_nos)
     and s.for_each is not null
     and s.expansion is not null
     and not exists (select from tasker.map_instances(p_task_uuid, s.step_no));
end;
$$;

comment on function tasker.replace_instances is
$$Makes maps of a task begin again. Their instances (p_replaced) lose their edges, and so no longer belong to the maps. A map's array is read again when its parents have settled. Deletes the notes of the maps among p_step_nos. The door steps_rerun calls this function, so the caller holds the locks of the steps and their task, and counts the parents of the maps afterwards.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/start_instances.sql
create or replace function tasker.start_instances(p_task tasker.task_facts, p_numbers integer[], p_suspended boolean, p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count integer := cardinality(p_numbers);
begin
  update tasker.tasks as t
     set total_steps = t.total_steps + v_count,
         open_steps  = t.open_steps + v_count
   where t.task_uuid = p_task.task_uuid;
  p_task.open_steps := p_task.open_steps + v_count;
  if p_suspended then
    perform tasker.write_task(p_task, 0, 0, 0, v_count, 0, '{}', null, null, p_processor);
    return;
  end if;
  perform tasker.write_task(p_task, 0, v_count, 0, 0, 0, p_numbers, null, null, p_processor);
  if p_task.transport = 'pgmq' then
    perform tasker.announce_steps(p_task.namespace, array_fill(p_task.task_uuid, array[v_count]), p_numbers);
  else
    perform tasker.notify_steps_ready(p_task.namespace);
  end if;
end;
$$;

comment on function tasker.start_instances is
$$Adds new instances of a map to the counters of their task, moves the task and notifies workers. Suspended instances belong to no worker. The caller holds the task's lock and passes its facts.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/end_map.sql
create or replace function tasker.end_map(
  p_map        tasker.workflow_steps,
  p_task       tasker.task_facts,
  p_problem    text,
  p_processor  uuid
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text    := p_problem;
  v_limit   integer := tasker.setting_integer('result_bytes');
  v_move    tasker.step_moves;
begin
  if v_problem is null and tasker.map_failures(p_map) > (p_map.for_each ->> 'allow_failures')::integer then
    v_problem := tasker.map_failure(p_map, tasker.map_failures(p_map));
  elsif v_problem is null and exists (
    select
      from tasker.workflow_step_edges as e
     cross join lateral (
       select c.for_each, c.await
         from tasker.workflow_steps as c
        where c.task_uuid = e.task_uuid
          and c.step_no = e.to_step_no
       offset 0
     ) as c
     where e.task_uuid = p_map.task_uuid
       and e.from_step_no = p_map.step_no
       and (
         e.condition is not null
         or c.for_each ->> 'step' = p_map.name
         or c.await #> '{task,context}' is not null
       )
  ) and tasker.map_results(p_map.task_uuid, p_map.step_no, v_limit) is null then
    v_problem := format(
      'a condition, a map or a task reads its results, and they are larger than %s bytes, the setting "result_bytes"', v_limit
    );
  end if;

  v_move.task_uuid := p_map.task_uuid;
  v_move.step_no := p_map.step_no;
  v_move.from_state := 'pending';
  v_move.event := case when v_problem is null then 'Complete' else 'Fail' end;
  v_move.to_state := case when v_problem is null then 'complete'::tasker.step_state else 'error' end;
  v_move.error := v_problem;
  v_move.metadata := case when v_problem is not null then jsonb_build_object('error', v_problem) end;
  perform tasker.apply_moves(array[v_move], array[p_task], p_processor);
end;
$$;

comment on function tasker.end_map is
$$Ends a map whose instances have all settled. The map fails if more elements failed than allow_failures, or if a child reads the map's results and they are too large; otherwise it completes. With p_problem the map fails at once, with p_problem as the reason. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/postpone_map_note.sql
create or replace function tasker.postpone_map_note(p_task_uuid uuid, p_step_no integer, p_head_start interval)
  returns void
  language plpgsql
as $$
begin
  update tasker.timers as m
     set due_at = tasker.clock() + p_head_start
   where m.task_uuid = p_task_uuid
     and m.step_no = p_step_no
     and m.kind = 'expand_map';
end;
$$;

comment on function tasker.postpone_map_note is
$$Postpones the note of a map until p_head_start from now.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/expand_map.sql
create or replace function tasker.expand_map(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_limit       integer,
  p_head_start  interval,
  p_processor   uuid
)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task    tasker.task_facts := (tasker.task_facts(array[p_task_uuid]))[1];
  v_map     tasker.workflow_steps;
  v_array   tasker.map_arrays;
  v_problem text;
  v_last    integer;
  v_left    integer;
  v_count   integer := 0;
  v_numbers integer[];
begin
  select s.*
    into v_map
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  -- Check the task's state each time, because the task may have ended since or have stopped after a failure. A reset of
  -- the task writes the note again.
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') then
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
    return 0;
  elsif v_map.state <> 'pending'
     or tasker.task_halts(v_task.on_failure, v_task.failed_steps)
     or v_map.expansion is null and v_map.pending_parents > 0 then
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
    perform tasker.apply_moves('{}', array[v_task], p_processor);
    return 0;
  end if;

  v_left := coalesce((v_map.expansion ->> 'elements')::integer - (v_map.expansion ->> 'expanded')::integer, 1);
  if v_left > 0 then
    v_map.expansion := coalesce(v_map.expansion, tasker.new_expansion(v_map));
    -- A map with max_parallel gets only as many instances as may start now.
    v_array := tasker.map_array(
      v_map, greatest(least(p_limit, (v_map.for_each ->> 'max_parallel')::integer - v_map.pending_parents), 0)
    );
    select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_task_uuid;
    v_left := v_array.size - (v_map.expansion ->> 'expanded')::integer;
    v_problem := coalesce(v_array.problem, tasker.map_room_problem(v_map, v_left, v_last));
    if v_problem is not null then
      perform tasker.clear_map_note(p_task_uuid, p_step_no);
      perform tasker.end_map(v_map, v_task, v_problem, p_processor);
      return 0;
    end if;
    v_count := jsonb_array_length(v_array.elements);
    if v_count > 0 then
      v_numbers := tasker.insert_instances(v_map, v_task.namespace, v_array.elements, v_last);
    end if;
    v_map.expansion := v_map.expansion || jsonb_strip_nulls(jsonb_build_object(
      'elements', v_array.size,
      'others', v_last - (v_map.expansion ->> 'expanded')::integer,
      'expanded', (v_map.expansion ->> 'expanded')::integer + v_count,
      'last_no', v_array.last_no
    ));
    -- The instances count as parents of the map. The map's own join was satisfied when the map began.
    update tasker.workflow_steps as s
       set total_parents   = s.total_parents + v_count,
           pending_parents = s.pending_parents + v_count,
           join_mode       = 'settled',
           expansion       = v_map.expansion,
           moved_at        = greatest(s.moved_at, tasker.write_clock())
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no;
  end if;

  if v_left > v_count and (v_count = p_limit or not v_map.for_each ? 'max_parallel') then
    -- Other transactions insert the rest, after other due timers.
    perform tasker.postpone_map_note(p_task_uuid, p_step_no, p_head_start);
  else
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
  end if;
  if v_count > 0 then
    perform tasker.start_instances(v_task, v_numbers, v_map.await is not null, p_processor);
  elsif v_left <= 0 and v_map.pending_parents = 0 then
    perform tasker.end_map(v_map, v_task, null, p_processor);
  else
    -- No step moves, but the task may be blocked now that the note is deleted.
    perform tasker.apply_moves('{}', array[v_task], p_processor);
  end if;
  return v_count;
end;
$$;

comment on function tasker.expand_map is
$$Does the due work of one map: inserts at most p_limit instances, and not more than max_parallel allows, or ends the map when all instances have settled. The remaining instances are due p_head_start later. Returns the number of inserted instances. If the map no longer waits, or its task has ended or has stopped after a failure, only deletes the map's note. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/expand_maps.sql
create or replace function tasker.expand_maps(p_task_uuids uuid[], p_step_nos integer[], p_budgets tasker.fire_budgets)
  returns void
  language plpgsql
as $$
declare
  v_budget integer := p_budgets.instances;
  v_note   record;
begin
  for v_note in
    select u.task_uuid, u.step_no
      from unnest(p_task_uuids, p_step_nos) with ordinality as u (task_uuid, step_no, place)
     order by u.place
  loop
    -- The notes of the remaining maps stay due.
    exit when v_budget <= 0;
    v_budget := v_budget - 1
      - tasker.expand_map(v_note.task_uuid, v_note.step_no, v_budget, p_budgets.head_start, p_budgets.processor_uuid);
  end loop;
end;
$$;

comment on function tasker.expand_maps is
$$Does the due work of these maps in the given order, until p_budgets.instances instances are inserted. A transaction inserts no more instances than this. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/changed_map.sql
create or replace function tasker.changed_map(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Map "%s" has begun with another array.', s.name)
      from tasker.workflow_steps as s
     cross join lateral (select (s.for_each ->> 'path')::jsonpath as path) as p
     where s.task_uuid = p_task.task_uuid
       and s.expansion is not null
       and s.state = 'pending'
       and not s.for_each ? 'step'
       and jsonb_path_query_first(p_task.context, p.path, '{}', true) is distinct from jsonb_path_query_first(p_context, p.path, '{}', true)
     order by s.step_no
     limit 1
  );
end;
$$;

comment on function tasker.changed_map is
$$Returns a sentence about the first map of a task that has begun and whose array would differ if the task had this context, or null if there is no such map.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001204', 'functions/doors/moves/private/follow_moves 3d5cfd20711afcd7
functions/doors/moves/private/maps_ready be409251467836be
functions/doors/moves/private/steps_rerun 4f41341237808167
functions/doors/registration/private/steps_added e86153bdd4ff695a
functions/doors/registration/private/steps_registered 699e857ca2cee0a6
functions/features/branches/private/end_race 199e4805fa9e8983
functions/features/branches/private/end_races 453e3bbbc7ccb2ba
functions/features/branches/private/failure_moves c537525cf5cf546f
functions/features/branches/private/mark_failures 7bd1c1a96e09a9f0
functions/features/branches/private/note_races 82fc606faf843e35
functions/features/branches/private/race_losers b3613e5504c75172
functions/features/maps/private/changed_map fe46a1af86db1378
functions/features/maps/private/clear_map_note 288c784f82bb147a
functions/features/maps/private/end_map f3a4561d724b0f1d
functions/features/maps/private/expand_map ba2df0568f589df5
functions/features/maps/private/expand_maps 71ea66eae0468b6a
functions/features/maps/private/insert_instances b44e9944765594d9
functions/features/maps/private/map_array 56b73931d9394309
functions/features/maps/private/map_array_problem d93c02fca9ce0b08
functions/features/maps/private/map_failure 9aad971c44b50910
functions/features/maps/private/map_failures 3109ef8fa861a5b2
functions/features/maps/private/map_instances 4da6e601ded7c15d
functions/features/maps/private/map_room_problem fc4e5e4073f0eb4d
functions/features/maps/private/new_expansion eaf581922a7d5997
functions/features/maps/private/next_map_results 38825cda8c57a9d5
functions/features/maps/private/note_maps 1b07648a33051113
functions/features/maps/private/postpone_map_note 80dda4d23ad00fcd
functions/features/maps/private/replace_instances de0923e7a976edf1
functions/features/maps/private/tolerance_moves d2fef279e05496d9
functions/features/patience/private/bound_starts b6f535ca00d4b534
functions/features/patience/private/fail_late_starts 3188d993d563d0c5
functions/features/patience/private/late_start 4f9e531a5a4c5fcb
functions/kernel/graph/private/array_step f5b9948f9bca8ed0
functions/kernel/move/private/halted_tasks 0d78bfd1f87934f0
functions/kernel/move/private/start_instances 32ca00e72fe873a4
rows/features/maps/map_arrays b3c3aa5cd01fddff
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001204';

drop function tasker.changed_map;
drop function tasker.expand_maps;
drop function tasker.expand_map;
drop function tasker.postpone_map_note;
drop function tasker.end_map;
drop function tasker.start_instances;
drop function tasker.replace_instances;
drop function tasker.insert_instances;
drop function tasker.map_array;
drop function tasker.next_map_results;
drop function tasker.map_room_problem;
drop function tasker.map_array_problem;
drop function tasker.map_instances;
drop function tasker.new_expansion;
drop function tasker.clear_map_note;
drop function tasker.steps_rerun;
drop function tasker.maps_ready;
drop function tasker.note_maps;
drop function tasker.array_step;
drop function tasker.halted_tasks;
drop function tasker.follow_moves;
drop function tasker.steps_added;
drop function tasker.steps_registered;
drop function tasker.mark_failures;
drop function tasker.fail_late_starts;
drop function tasker.late_start;
drop function tasker.end_races;
drop function tasker.end_race;
drop function tasker.race_losers;
drop function tasker.bound_starts;
drop function tasker.note_races;
drop function tasker.failure_moves;
drop function tasker.tolerance_moves;
drop function tasker.map_failure;
drop function tasker.map_failures;
drop view tasker.map_arrays;

reset role;
