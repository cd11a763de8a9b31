create or replace function tasker.announce_queue_rows(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.announce_steps(n.namespace, n.task_uuids, n.step_nos)
     from (
       select q.namespace, array_agg(q.task_uuid) as task_uuids, array_agg(q.step_no) as step_nos
         from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
        cross join lateral (
          select q.namespace, q.task_uuid, q.step_no
            from tasker.step_queue as q
           where q.task_uuid = u.task_uuid
             and q.step_no = u.step_no
          offset 0
        ) as q
        group by q.namespace
     ) as n;
end;
$$;

comment on function tasker.announce_queue_rows is
$$Announces steps that were just enqueued to the namespaces of their queue rows. The arguments have the task and the number of each step.$$;
