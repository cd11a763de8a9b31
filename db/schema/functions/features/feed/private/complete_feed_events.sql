create or replace function tasker.complete_feed_events(p_finds tasker.feed_finds[], p_first uuid, p_last uuid)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
begin
  if not exists (select from unnest(p_finds) as f where f.has_more) then
    return p_finds;
  end if;
  return array(
    select row(
        f.created_at, f.task_uuid, f.step_no, f.sort_key, f.event, f.step_from, f.step_to, f.task_from, f.task_to, f.claim_no,
        f.execution_time_ms, f.worker_uuid, coalesce(f.actor, l.actor), coalesce(f.reason, l.reason),
        coalesce(f.metadata, l.metadata), false
      )::tasker.feed_finds
      from unnest(p_finds) with ordinality as f (
        created_at, task_uuid, step_no, sort_key, event, step_from, step_to, task_from, task_to, claim_no, execution_time_ms,
        worker_uuid, actor, reason, metadata, has_more, no
      )
      left join lateral (
        select l.actor, l.reason, l.metadata
          from tasker.workflow_step_transition_log as l
         where f.has_more
           and f.step_no > 0
           and l.task_uuid = f.task_uuid
           and l.step_no = f.step_no
           and l.sort_key = f.sort_key
           and l.row_key between f.sort_key and f.sort_key + 1
           and l.task_uuid between p_first and p_last
        union all
        select l.actor, l.reason, l.metadata
          from tasker.task_transition_log as l
         where f.has_more
           and f.step_no = 0
           and l.task_uuid = f.task_uuid
           and l.sort_key = f.sort_key
           and l.row_key between f.sort_key and f.sort_key + 4
           and l.task_uuid between p_first and p_last
        offset 0
      ) as l on true
     order by f.no
  );
end;
$$;

comment on function tasker.complete_feed_events is
$$Returns events of a window with the long texts that find_feed_events left out. The tasks of the events lie between p_first and p_last.$$;
