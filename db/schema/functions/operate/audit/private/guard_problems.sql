create or replace function tasker.guard_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select null::uuid, null::integer, null::integer, m.name, 'is not the state machine of this version'
    from (
      select 'step_state_machine' as name, md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state)) as content
        from tasker.step_state_machine as s
      union all
      select 'task_state_machine', md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state))
        from tasker.task_state_machine as s
    ) as m
   where m.content <> case m.name when 'step_state_machine' then '808abf9964d5f3764d92df0fd6af7639' else 'e6c61a4a42030f8c5db98575bcdc0f1f' end;
end;
$$;

comment on function tasker.guard_problems is
$$Finds state machines that are not as in this version of pgtasker.$$;
