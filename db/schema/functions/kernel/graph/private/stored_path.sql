create or replace function tasker.stored_path(p_path text)
  returns jsonpath
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select case when tasker.regex_error(p_path) is null then p_path::jsonpath else '$ ? (1 == 2)'::jsonpath end;
end;

comment on function tasker.stored_path is
$$Converts the text of a stored path to jsonpath. A path whose regular expressions are refused (tasker.regex_error) becomes a path that leads to no value. Whether the path was stored before this rule is judged when it is used.$$;
