create or replace function tasker.limit_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_now        timestamptz := tasker.write_clock();
  v_opened     jsonb;
begin
  -- Steps that were just enqueued leave the ordinary lanes.
  update tasker.step_queue as q
     set limit_lane = q.lane,
         lane       = 'limited',
         limit_no   = s.limit_no,
         limit_key  = s.limit_key
    from unnest(p_moves) as m
   cross join lateral (
     select s.limit_no, s.limit_key
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.limit_no is not null
     offset 0
   ) as s
   cross join lateral (
     select
       from tasker.step_queue as k
      where k.task_uuid = m.task_uuid
        and k.step_no = m.step_no
        and k.lane in ('high', 'normal', 'low')
     offset 0
   ) as k
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;

  with noted as (
    insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
    select distinct s.limit_no, hashtext(s.limit_key), s.limit_key, s.named_step_uuid, v_now
      from unnest(p_moves) as m
     cross join lateral (
       select s.limit_no, s.limit_key, s.named_step_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and s.limit_no is not null
       offset 0
     ) as s
     where m.to_state = 'enqueued'
        or m.from_state = 'in_progress'
    returning limit_no, limit_key
  )
  select jsonb_agg(distinct jsonb_build_object('limit_no', n.limit_no, 'limit_key', n.limit_key)) into v_opened from noted as n;

  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
end;
$$;

comment on function tasker.limit_moves is
$$Moves the queue rows of just enqueued steps that name a limit into the lane "limited". Writes notes for claims that a line has a new step or a place is free, and announces the keys. The writer calls this function after it has written the queue rows, for moves that enqueue a limited step or end its run.$$;
