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
$$The mark of pgtasker's own pgmq, and the version of the extension whose API it offers.$$;
