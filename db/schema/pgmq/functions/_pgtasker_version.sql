-- down: nothing
create or replace function tasker_pgmq._pgtasker_version()
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select '1.11'::text;
end;

comment on function tasker_pgmq._pgtasker_version() is
$$Returns the version of the extension pgmq whose API these functions offer. The function exists only in pgtasker's own pgmq, and so identifies it.$$;
