create or replace function tasker.receive_events(p_matches tasker.event_matches[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := '{}';
  v_one   record;
  v_ended jsonb;
begin
  if cardinality(p_matches) = 0 then
    return;
  end if;
  insert into tasker.broadcast_receipts (event_uuid, task_uuid, step_no, received_at)
  select m.event_uuid, m.task_uuid, m.step_no, tasker.write_clock()
    from unnest(p_matches) as m;
  for v_one in
    select m.task_uuid, m.step_no, m.function, b.event_uuid, b.name, b.key, b.payload, b.sent_by, b.sent_at
      from unnest(p_matches) as m
     cross join lateral (
       select b.*
         from tasker.broadcasts as b
        where b.event_uuid = m.event_uuid
       offset 0
     ) as b
     order by m.task_uuid, m.step_no
  loop
    v_ended := jsonb_build_object('key', v_one.key, 'event_uuid', v_one.event_uuid)
      || tasker.sent_answer(v_one.name, v_one.payload, v_one.sent_at);
    v_moves := v_moves || tasker.ended_wait(
      v_one.task_uuid, v_one.step_no, 'event', 'complete', v_ended, format('event "%s"', v_one.name), v_one.sent_by, v_one.function
    );
  end loop;
  perform tasker.apply_moves(
    v_moves, tasker.task_facts(array(select distinct m.task_uuid from unnest(v_moves) as m order by m.task_uuid)), p_processor
  );
end;
$$;

comment on function tasker.receive_events is
$$Gives steps the events that they take: writes the receipts, ends the waits, and applies all moves that follow. The caller holds the tasks' locks, and has found the matches under these locks.$$;
