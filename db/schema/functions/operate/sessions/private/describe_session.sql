create or replace function tasker.describe_session(p_session tasker.access_sessions)
  returns tasker.session_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_access tasker.access_map_details;
begin
  select a.* into v_access from tasker.access_of(p_session.claims) as a;
  return row(
    p_session.session_uuid,
    case
      when p_session.ended_at is not null then 'ended'
      when p_session.ends_at <= v_now then 'expired'
      when p_session.seen_at <= v_now - make_interval(secs => tasker.setting_integer('session_idle_seconds')) then 'idle'
      when v_access.role_name is null then 'unmapped'
      else 'valid'
    end,
    tasker.person_name(p_session.subject, p_session.email),
    p_session.issuer,
    p_session.subject,
    p_session.email,
    v_access.role_name,
    coalesce(v_access.namespaces, '{}'),
    p_session.created_at,
    p_session.signed_in_at,
    p_session.seen_at,
    p_session.refresh_at,
    p_session.ends_at,
    p_session.ended_at,
    p_session.ended_by,
    p_session.renewable and p_session.refresh_at <= v_now,
    p_session.seen_at <= v_now - least(make_interval(secs => tasker.setting_integer('session_idle_seconds')) / 10, interval '1 minute')
  )::tasker.session_details;
end;
$$;

comment on function tasker.describe_session is
$$Returns the columns of a session that people may see, with the access that the maps give to the session's person now.$$;
