create or replace function tasker.kept_templates(p_range tasker.partition_ranges)
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_kept uuid[];
begin
  if not exists (select from tasker.retentions) then
    return '{}';
  end if;
  execute format(
    $sql$
      select array_agg(k.named_task_uuid order by k.named_task_uuid)
        from tasker.task_namespaces as n
        join tasker.named_tasks as k
          on k.task_namespace_uuid = n.task_namespace_uuid
       cross join lateral (
         -- The retention of a template takes precedence over the retention of its namespace.
         select r.keep_for
           from tasker.retentions as r
          where r.namespace = n.name
            and r.template in (k.name, '')
          order by r.template desc
          limit 1
       ) as o
       where $1 + o.keep_for > tasker.clock()
         and exists (select from tasker.%I as t where t.named_task_uuid = k.named_task_uuid)
    $sql$,
    'tasks_' || p_range.suffix
  ) into v_kept using p_range.ends_at;
  return coalesce(v_kept, '{}');
end;
$$;

comment on function tasker.kept_templates is
$$Returns the templates that have tasks in a range and whose tasks are kept longer than the range.

The cost is one lookup in the range for each template with a retention. There is no cost if no retention is set.$$;
