create or replace function tasker.ending_tokens()
  returns setof tasker.access_tokens
  language sql
  stable
begin atomic
  select t.*
    from tasker.access_tokens as t
   where t.revoked_at is null
     and t.expires_at > tasker.clock()
     and t.expires_at <= tasker.clock() + interval '7 days';
end;

comment on function tasker.ending_tokens is
$$Returns the tokens that are valid now and expire within a week.$$;
