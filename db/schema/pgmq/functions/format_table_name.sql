-- down: nothing
create or replace function tasker_pgmq.format_table_name(queue_name text, prefix text)
  returns text
  language plpgsql
  immutable
  parallel safe
as $$
begin
  -- Qualify names instead of setting a search_path, because almost every function of pgmq calls this function.
  if queue_name operator(pg_catalog.~) '[$;'']|--' then
    raise exception E'queue name contains invalid characters: $, ;, --, or \\''';
  end if;
  return pg_catalog.lower(prefix operator(pg_catalog.||) '_' operator(pg_catalog.||) queue_name);
end;
$$;

comment on function tasker_pgmq.format_table_name(text, text) is
$$Returns the name of a queue's table (prefix q) or of its archive (prefix a), in lower case and not quoted.

Raises an exception if the name contains one of the forbidden sequences: $, ;, -- or a single quote.$$;
