-- down: nothing
create or replace function tasker_pgmq.format_table_name(queue_name text, prefix text)
  returns text
  language plpgsql
  immutable
  parallel safe
as $$
begin
  -- Names qualified in place of a search_path: every call of pgmq comes through here.
  if queue_name operator(pg_catalog.~) '[$;'']|--' then
    raise exception E'queue name contains invalid characters: $, ;, --, or \\''';
  end if;
  return pg_catalog.lower(prefix operator(pg_catalog.||) '_' operator(pg_catalog.||) queue_name);
end;
$$;

comment on function tasker_pgmq.format_table_name(text, text) is
$$The name of a queue's table: prefix q, or of its archive: prefix a. Always in lower case, not quoted.

Raises for a name with one of the forbidden sequences.$$;
