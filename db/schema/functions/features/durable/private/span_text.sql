create or replace function tasker.span_text(p_seconds numeric)
  returns text
  language sql
  immutable
  strict
  set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(
    nullif(
      concat_ws(
        ' ',
        nullif(div(p_seconds, 86400), 0) || 'd',
        nullif(div(mod(p_seconds, 86400), 3600), 0) || 'h',
        nullif(div(mod(p_seconds, 3600), 60), 0) || 'm',
        trim_scale(nullif(mod(p_seconds, 60), 0)) || 's'
      ),
      ''
    ),
    '0s'
  );
end;

comment on function tasker.span_text is
$$Returns a duration as text for people, in the units of templates: 14d, 1h 30m, 2.5s.$$;
