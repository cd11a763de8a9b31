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
