create or replace function tasker.utc_text(p_time timestamptz)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end;

comment on function tasker.utc_text is
$$Returns a time as RFC 3339 text in UTC, whatever the time zone of the session. to_jsonb would write the time zone of the session.$$;
