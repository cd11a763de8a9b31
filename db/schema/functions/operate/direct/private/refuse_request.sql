create or replace function tasker.refuse_request(p_call text, p_detail text)
  returns void
  language plpgsql
  immutable
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('the request of tasker.%s is invalid', p_call),
    detail  = left(p_detail, 500),
    hint    = 'Pass an object with the fields that docs/http-workers.md describes.';
end;
$$;

comment on function tasker.refuse_request(text, text) is
$$Raises TK422 for a request of a client that sends JSON, with the reason as detail.$$;

revoke all on function tasker.refuse_request(text, text) from public;
