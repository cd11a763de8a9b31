create or replace function tasker.limit_place_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_opened jsonb;
begin
  with freed as (
    delete from tasker.limit_places as h
     using unnest(p_moves) as m
     where h.task_uuid = any (array[m.task_uuid])
       and h.step_no = m.step_no
       and m.to_state in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
    returning h.limit_no, h.limit_key, m.task_uuid, m.step_no, h.units
  ),
  kept as (
    update tasker.limit_places as h
       set held_units = case when h.whole_run then h.units else 0 end
      from unnest(p_moves) as m
     where h.task_uuid = any (array[m.task_uuid])
       and h.step_no = m.step_no
       and m.from_state = 'in_progress'
       and m.to_state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
    returning h.limit_no, h.limit_key, m.task_uuid, m.step_no, h.held_units
  ),
  noted as (
    insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
    select distinct f.limit_no, hashtext(f.limit_key), f.limit_key, s.named_step_uuid, tasker.write_clock()
      from (
        select f.* from freed as f
        union all
        select k.* from kept as k where k.held_units = 0
      ) as f
     cross join lateral (
       select s.named_step_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.step_no = f.step_no
       offset 0
     ) as s
    returning limit_no, limit_key
  )
  select jsonb_agg(distinct jsonb_build_object('limit_no', n.limit_no, 'limit_key', n.limit_key)) into v_opened from noted as n;
  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
  if exists (select from unnest(p_moves) as m where m.to_state = 'enqueued') then
    perform tasker.insert_limit_places(p_moves);
  end if;
end;
$$;

comment on function tasker.limit_place_moves is
$$Updates the rows of steps in tasker.limit_places. A step that ends frees all its places. A step that leaves the state in_progress frees its places, or keeps them if it holds them for its whole run. For an enqueued step, inserts the places that the step needs. Writes notes that tell claims which keys have free places. Locks only rows of these steps.$$;
