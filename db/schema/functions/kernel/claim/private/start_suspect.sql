create or replace function tasker.start_suspect(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_process text;
  v_row     tasker.step_queue;
  v_move    tasker.step_moves;
begin
  select u.*
    into v_row
    from unnest(p_taken) as u
   cross join lateral (
     select s.state, s.lost_count
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        for no key update skip locked
   ) as s
   where s.state = 'enqueued'
     and s.lost_count > 1
   order by u.visible_at
   limit 1;
  if not found then
    return '{}';
  end if;

  v_process := coalesce(
    (select regexp_replace(w.name, '#[0-9]+$', '') from tasker.workers as w where w.worker_uuid = p_worker_uuid), p_worker_uuid::text
  );
  if exists (
    select
      from tasker.workers as w
     cross join lateral (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(w.suspect_step)
          and s.step_no = tasker.step_no_of(w.suspect_step)
          and s.state = 'in_progress'
          and s.claim_no = w.suspect_claim_no
          -- A suspect that has outlived several leases is less suspect, and other suspects must not wait for its end.
          and s.last_attempted_at > v_now - 3 * make_interval(secs => s.lease_seconds)
       offset 0
     ) as s
     where w.suspect_step is not null
       and regexp_replace(w.name, '#[0-9]+$', '') = v_process
  ) then
    return '{}';
  end if;

  v_move := tasker.write_start(v_row, p_worker_uuid, p_lease_until, true);
  insert into tasker.workers as w (worker_uuid, name, role, suspect_step, suspect_claim_no)
  values (
    p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.step_uuid(v_move.task_uuid, v_move.step_no), v_move.claim_no
  )
  on conflict (worker_uuid) do update
    set suspect_step     = excluded.suspect_step,
        suspect_claim_no = excluded.suspect_claim_no;
  return array[v_move];
end;
$$;

comment on function tasker.start_suspect is
$$Starts one suspect of these queue rows, unless the worker's process runs another suspect that began within its first three leases. A suspect is a step that has lost two or more workers. If several steps were lost together, one of them may be the cause. The next loss shows the cause only if each suspect runs alone. Returns the start, or no row.$$;
