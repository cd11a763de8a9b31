create or replace function tasker.guard_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The bodies of the guards.
  select null::uuid, null::integer, null::integer, g.name, 'is a guard whose body differs from this version'
    from (values
      ('check_step_edges', 'a1e944d1bab5dcc1d159fb8d26fca5d1'),
      ('check_step_move', 'ff61056dad6d7f368a7167446d331356'),
      ('check_step_row', '021615af79ec5dc6a7ead410b9beef74'),
      ('check_step_tasks', '05e92cd63ca331740edbd2a47c375b4e'),
      ('check_task_move', 'b74b0473c0298f8fc8bf22e1a5e5abd5'),
      ('check_task_row', '92c7367d87a99fe53dbe4633877f2086'),
      ('refuse_graph_change', '41fb37ab84b4325b152cccfe726982d8'),
      ('refuse_kept_change', '196aef909e9070af8feb335886db443c'),
      ('refuse_log_change', '0f4b442134cc5a27397f61bf4bcc3383'),
      ('refuse_registry_delete', '71f42a138bc607ded92ea60db491bf0c'),
      ('refuse_run_change', '385b5fe496018527f1dcdbb03f07c041')
    ) as g (name, body)
   where not exists (
     select
       from pg_proc as p
      where p.pronamespace = 'tasker'::regnamespace
        and p.proname = g.name
        and md5(p.prosrc) = g.body
   )
  union all
  -- The state machines.
  select null, null, null, m.name, 'is not the state machine of this version'
    from (
      select 'step_state_machine' as name, md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state)) as content
        from tasker.step_state_machine as s
      union all
      select 'task_state_machine', md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state))
        from tasker.task_state_machine as s
    ) as m
   where m.content <> case m.name when 'step_state_machine' then 'f7fb2ec62026108a0e7c752814c52fd1' else '2c8bade5ff5d85dad09944ba80634aa8' end;
end;
$$;

comment on function tasker.guard_problems is
$$Finds functions of guards and state machines that differ from those of this version.$$;
