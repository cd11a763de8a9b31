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
$$Converts the text of a stored path to jsonpath. A path whose regular expressions are refused (tasker.regex_error) becomes a path that leads to no value. The check is made when the path is used, because the path may have been stored before this rule existed.$$;
