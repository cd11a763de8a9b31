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

comment on function tasker.refuse_request is
$$Raises TK422 because the JSON request of a client is malformed, with the reason as detail.$$;
