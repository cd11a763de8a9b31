create or replace function tasker.announce_results(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  -- The queue row says that a result waits; the message only announces it.
  perform tasker.announce_messages('orchestration_step_results', array_agg(
    jsonb_build_object(
      'task_uuid', m.task_uuid,
      'step_uuid', tasker.step_uuid(m.task_uuid, m.step_no),
      'correlation_id', t.correlation_id
    )
  ))
     from unnest(p_moves) as m
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = m.task_uuid
      offset 0
    ) as t
   having count(*) > 0;
end;
$$;

comment on function tasker.announce_results is
$$Announces recorded results to orchestrators, a message each to orchestration_step_results.$$;
