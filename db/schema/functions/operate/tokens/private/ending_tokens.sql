create or replace function tasker.ending_tokens()
  returns table (name text, expires_at timestamptz)
  language sql
  stable
begin atomic
  select t.name, t.expires_at
    from tasker.access_tokens as t
   where t.revoked_at is null
     and t.expires_at > tasker.clock()
     and t.expires_at <= tasker.clock() + interval '7 days';
end;

comment on function tasker.ending_tokens is
$$Returns the tokens that are valid now and end within a week.$$;
