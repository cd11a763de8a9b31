create or replace function tasker.list_sessions(p_all boolean default false)
  returns setof tasker.session_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select d.*
    from tasker.access_sessions as s
   cross join lateral tasker.describe_session(s) as d
   where coalesce(p_all, false)
      or d.status in ('valid', 'unmapped')
   order by s.session_uuid desc
   limit 10000;
end;
$$;

comment on function tasker.list_sessions is
$$Returns at most 10,000 sessions of people who have signed in, the newest first. With p_all, also returns ended
sessions. Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.list_sessions to tasker_operator;
