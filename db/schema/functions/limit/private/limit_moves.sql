create or replace function tasker.limit_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_now        timestamptz := tasker.write_clock();
  v_namespaces text[];
  v_namespace  text;
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
    returning limit_no
  )
  select array_agg(distinct l.namespace)
    into v_namespaces
    from (select distinct n.limit_no from noted as n) as n
   cross join lateral (
     select l.namespace
       from tasker.limits as l
      where l.limit_no = n.limit_no
     offset 0
   ) as l;

  foreach v_namespace in array coalesce(v_namespaces, '{}') loop
    perform tasker.notify_steps_ready(v_namespace);
  end loop;
end;
$$;

comment on function tasker.limit_moves(tasker.step_moves[]) is
$$Moves the queue rows of steps that were just enqueued and name a limit into the lane limited, notes for claims that a line has grown or a place is free, and wakes workers. The writer calls it after the queue rows, for moves that enqueue a limited step or end its run.$$;

revoke all on function tasker.limit_moves(tasker.step_moves[]) from public;
