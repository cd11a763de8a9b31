create or replace function tasker.check_kept_name(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  if p_position is null or p_position < 1 or p_occurrence is null or p_occurrence < 1 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'position %s and occurrence %s are not both from 1', coalesce(p_position::text, 'null'), coalesce(p_occurrence::text, 'null')
      ),
      hint    = 'Count the calls of the function, and those of each name, from 1 in every run.';
  elsif p_name is null or p_name !~ '^[$]?[a-zA-Z0-9][a-zA-Z0-9_.:/-]{0,126}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a name for a kept result', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 126 of these, underscores, dots, colons, slashes and hyphens; clients put a dollar sign before names of their own.';
  end if;
end;
$$;

comment on function tasker.check_kept_name is
$$Raises TK422 if a call of a durable function lacks the step or the claim number, or if its position, name or occurrence is malformed.$$;
