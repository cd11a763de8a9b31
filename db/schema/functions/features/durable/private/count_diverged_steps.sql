create or replace function tasker.count_diverged_steps(p_namespaces text[])
  returns bigint
  language plpgsql
  stable
as $$
begin
  -- Count by namespace, so that the index on signals is used.
  return (
    select coalesce(sum(w.steps), 0)
      from tasker.task_namespaces as n
     cross join lateral (
       select count(*) as steps
         from tasker.waits as w
        where w.namespace = n.name
          and w.signal = '$diverged'
       offset 0
     ) as w
     where p_namespaces is null
        or n.name = any (p_namespaces)
  );
end;
$$;

comment on function tasker.count_diverged_steps is
$$Counts the suspended steps of these namespaces, or of all namespaces, whose function diverged from its kept results.$$;
