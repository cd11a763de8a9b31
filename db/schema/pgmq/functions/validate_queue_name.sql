-- down: nothing
create or replace function tasker_pgmq.validate_queue_name(queue_name text)
  returns void
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  elsif queue_name = '' then
    raise exception 'queue name cannot be empty';
  elsif queue_name ~ '[^ -~]' or strpos(queue_name, '"') > 0 then
    raise exception 'queue name contains invalid characters: only printable ASCII without double quotes is allowed';
  end if;
end;
$$;

comment on function tasker_pgmq.validate_queue_name(text) is
$$Raises an exception if a new queue may not have this name. A name has up to 47 printable ASCII characters and no double quote. The function format_table_name forbids more characters, for all queues.$$;
