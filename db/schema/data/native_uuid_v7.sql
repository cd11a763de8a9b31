-- down: nothing

-- PostgreSQL 18 has its own generator of UUIDs with the same layout. There this function, which PostgreSQL inlines, replaces
-- functions/kernel/ident/uuid_generate_v7.sql.
do $do$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    execute $create$
      create or replace function tasker.uuid_generate_v7()
        returns uuid
        language sql
        volatile
        parallel safe
      begin atomic
        select pg_catalog.uuidv7();
      end
    $create$;
  end if;
end;
$do$;
