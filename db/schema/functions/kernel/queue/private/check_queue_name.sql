create or replace function tasker.check_queue_name(p_queue_name text)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_queue_name is null or p_queue_name = '' or length(p_queue_name) > 47
     or p_queue_name ~ '[^ -~]|["$;'']|--' then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_queue_name is null then 'queue name is null'
        else format('"%s" is not a valid queue name', left(p_queue_name, 100))
      end,
      hint    = 'A queue name has 1 to 47 printable ASCII characters, without $ ; -- and quotes.';
  end if;
end;
$$;

comment on function tasker.check_queue_name is
$$Raises TK422 if this is not a valid queue name.$$;
