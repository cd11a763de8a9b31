create or replace function tasker.logged_step_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select a.* from tasker.attempt_problems(p_from, p_to) as a
  union all
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', format('was claimed by the login %s; its log has %s', s.claim_login, coalesce(l.login, 'no claim'))
    from tasker.workflow_steps as s
    left join lateral (
      select
        m.sort_key,
        -- A row without a login has the same login as the preceding row.
        coalesce(
          m.login,
          (
            select n.login
              from tasker.workflow_step_transition_log as n
             where n.task_uuid = m.task_uuid
               and n.step_no = m.step_no
               and n.sort_key < m.sort_key
               and n.login is not null
             order by n.sort_key desc
             limit 1
          ),
          (select t.login from tasker.tasks as t where t.task_uuid = m.task_uuid)
        ) as login
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         and m.event = 'Start'
       order by m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.claim_login is distinct from l.login
  union all
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', 'has another error than that recorded last'
    from tasker.workflow_steps as s
    left join lateral (
      select m.sort_key, m.metadata ->> 'error' as error
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         and m.to_state in ('enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error')
       -- If a failure wrote several rows, the first row has the error.
       order by m.metadata ? 'error' is true and not exists (
         select
           from tasker.workflow_step_transition_log as n
          where n.task_uuid = m.task_uuid
            and n.step_no = m.step_no
            and n.sort_key > m.sort_key + 1
            and n.to_state in ('enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error')
       ) desc, m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and (l.sort_key is null and s.last_error is not null or l.error is not null and s.last_error is distinct from l.error)
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid);
end;
$$;

comment on function tasker.logged_step_problems is
$$Finds steps of the tasks between two UUIDs whose attempts, last error or login of the newest claim differ from their
log. An error that the engine itself wrote is not in the log and is not compared.$$;
