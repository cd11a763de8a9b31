create or replace function tasker.list_administration(
  p_kind    text     default null,
  p_object  text     default null,
  p_before  bigint   default null,
  p_limit   integer  default 100
)
  returns setof tasker.administration_entries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_text_size('kind', p_kind, 100);
  perform tasker.check_text_size('object', p_object, 500);
  return query
  select
    l.entry_no, l.logged_at, l.kind, l.object, l.namespaces, l.action, l.call, l.login, l.role, l.token, l.actor,
    case when l.kind = 'subscriptions' then tasker.shown_subscription(l.was) else l.was end,
    case when l.kind = 'subscriptions' then tasker.shown_subscription(l.becomes) else l.becomes end,
    l.reason
  from tasker.administration_log as l
  where (p_kind is null or l.kind = p_kind)
    and (p_object is null or l.object = p_object)
    and (p_before is null or l.entry_no < p_before)
    and (v_bound is null or l.namespaces <@ v_bound and l.namespaces <> '{}')
  order by l.entry_no desc
  limit p_limit;
end;
$$;

comment on function tasker.list_administration is
$$Returns the changes of settings, bindings, tokens, templates, limits, schedules, subscriptions, namespaces, partitions
and queues, the newest change first. Each row says when, why and by which function, login, role and token the object was
changed, the name that the caller gave itself, and the object before and after. With p_kind (the name of a table) or
p_object, returns only the changes of this table or object. For the next page, pass the last entry_no of this page as
p_before. Leaves out secrets and the columns that the engine writes while it works.

A bound caller sees the changes of an object if all namespaces of the object are its own. Raises TK422 for a limit out
of range, and TK413 for a long argument.$$;

grant execute on function tasker.list_administration to tasker_orchestrator, tasker_operator, tasker_reader;
