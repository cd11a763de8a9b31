create or replace function tasker.step_queue_name(p_namespace text, p_lane tasker.queue_lane)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select 'worker_' || p_namespace || '_queue' || case p_lane when 'high' then '_high' when 'low' then '_low' else '' end;
end;

comment on function tasker.step_queue_name is
$$Returns the pgmq queue in which the steps of a namespace's lane are announced, if the namespace's transport is pgmq.$$;
