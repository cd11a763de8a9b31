create or replace function tasker.queue_groups(p_namespaces text[])
  returns setof tasker.step_queue
  language sql
  stable
begin atomic
  -- Go from each group of the index to the next group with one probe. Rows after the first row of a group are never
  -- read.
  with recursive groups as (
    select g.*
      from unnest(p_namespaces) as u (namespace)
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = u.namespace
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as g
    union all
    select n.*
      from groups as g
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = g.namespace
          and (q.lane, q.named_step_uuid) > (g.lane, g.named_step_uuid)
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as n
  )
  select g.* from groups as g;
end;

comment on function tasker.queue_groups is
$$Returns the oldest row of each namespace, lane and handler that has rows in the queue, visible or not.$$;
