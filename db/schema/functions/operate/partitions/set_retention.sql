create or replace function tasker.set_retention(
  p_namespace  text,
  p_template   text,
  p_keep_for   interval,
  p_actor      text      default null,
  p_reason     text      default null
)
  returns setof tasker.retention_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  if p_keep_for not between interval '1 day' and interval '100 years' then
    raise exception using
      errcode = 'TK422',
      message = format('tasks cannot be kept for %s', p_keep_for),
      hint    = 'Choose between 1 day and 100 years, or null for as long as the range.';
  elsif p_template is not null and not exists (
    select
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = p_namespace
       and k.name = p_template
  ) then
    raise exception using
      errcode = 'TK404',
      message = format('no template "%s/%s" is registered', p_namespace, left(p_template, 100)),
      hint    = 'Register the template first, or set the retention of the namespace.';
  end if;

  if p_keep_for is null then
    delete from tasker.retentions as r
     where r.namespace = p_namespace
       and r.template = coalesce(p_template, '');
  else
    insert into tasker.retentions as r (namespace, template, keep_for, set_by)
    values (p_namespace, coalesce(p_template, ''), p_keep_for, tasker.actor_name(p_actor))
    on conflict (namespace, template) do update
       set keep_for = excluded.keep_for, set_at = excluded.set_at, set_by = excluded.set_by
     where r.keep_for is distinct from excluded.keep_for;
  end if;
  return query
  select l.*
    from tasker.list_retentions() as l
   where l.namespace = p_namespace
     and l.template is not distinct from p_template;
end;
$$;

comment on function tasker.set_retention is
$$Keeps the tasks of a template, in all its versions, longer than their ranges are kept: until p_keep_for after the end
of their range. Without p_template, this applies to all templates of the namespace that have no retention of their own.
A null p_keep_for deletes the retention. Returns the retention, or no row if it was deleted.

A retention that is shorter than the retention of the ranges has no effect. A retention applies to tasks that exist when
their range is past the retention of the ranges. Then tasker.apply_retention moves these tasks before it drops the
range. Idempotent. The default of p_actor is the caller's role. Locks the row of the retention. Raises TK404 if there is
no such namespace or template, TK422 for an interval that is out of range, and TK403 if the caller is bound to other
namespaces.$$;

grant execute on function tasker.set_retention to tasker_operator;
