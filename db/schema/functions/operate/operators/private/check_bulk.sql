create or replace function tasker.check_bulk(p_reason text, p_limit integer, p_dry_run boolean)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_dry_run is null then
    raise exception using
      errcode = 'TK422',
      message = 'dry run is null',
      hint    = 'True only finds, false does it.';
  end if;
  if coalesce(p_limit not between 1 and 1000, true) then
    raise exception using
      errcode = 'TK422',
      message = format('a batch of %s is not possible', coalesce(p_limit::text, 'null')),
      hint    = 'A batch has 1 to 1,000 rows.';
  end if;
  if coalesce(trim(p_reason), '') = '' and not p_dry_run then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A change of many tasks says why, for the logs; a dry run needs none.';
  end if;
  perform tasker.check_text_size('reason', p_reason, 1000);
end;
$$;

comment on function tasker.check_bulk is
$$Raises TK422 if a change of many tasks or steps has no reason and is no dry run, or if the size of its batch is out of
range, and TK413 if the reason is longer than 1,000 characters.$$;
