create or replace function tasker.exported_signals(p_task_uuid uuid, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'signal_no', g.signal_no, 'name', g.name, 'sent_at', g.sent_at, 'sent_by', g.sent_by,
            'step_no', g.step_no, 'consumed_at', g.consumed_at
          ))
          || tasker.exported_value('payload', g.payload, p_payloads, p_blank)
          order by g.signal_no
        )
        from tasker.task_signals as g
       where g.task_uuid = p_task_uuid
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_signals is
$$Returns the signals that were sent to a task, for an export.$$;
