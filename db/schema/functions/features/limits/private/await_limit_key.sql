create or replace function tasker.await_limit_key(p_namespaces text[], p_handlers text[])
  returns boolean
  language plpgsql
  set lock_timeout = '100ms'
as $$
begin
  perform
     from (
       select k.limit_no, k.limit_key
         from jsonb_to_recordset(current_setting('tasker.opened_limits')::jsonb) as k (limit_no integer, limit_key text)
        where exists (
          select
            from tasker.limits as l
           where l.limit_no = k.limit_no
             and l.namespace = any (p_namespaces)
          offset 0
        )
          and exists (
            select
              from tasker.limit_handlers as h
             cross join lateral (
               select
                 from tasker.step_queue as q
                where q.limit_no = k.limit_no
                  and q.limit_key = k.limit_key
                  and q.lane = 'limited'
                  and q.named_step_uuid = h.named_step_uuid
                limit 1
             ) as q
             where h.limit_no = k.limit_no
               and (p_handlers is null or h.handler = any (p_handlers))
            offset 0
          )
        limit 1
     ) as o
    cross join lateral (
      select
        from tasker.limit_keys as k
       where k.limit_no = o.limit_no
         and k.limit_key = o.limit_key
         for no key update
    ) as k;
  return found;
exception
  when lock_not_available then
    return false;
end;
$$;

comment on function tasker.await_limit_key is
$$Locks the row of a key that this call has opened (tasker.hold_limits), and waits at most 100 milliseconds if another claim holds the row. So the call itself can take the place that its result has freed, and need not wake another worker. Returns false if the call has opened no key with steps for these handlers, or did not get the lock in time.

Only a claim that holds no key yet waits here. So no claim waits for a key while it holds another key.$$;
