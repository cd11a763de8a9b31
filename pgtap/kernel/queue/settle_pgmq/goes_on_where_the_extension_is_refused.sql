-- A role that cannot create the extension gets pgtasker's own pgmq, and a notice.
begin;
select plan(3);

select tasker_test.take_turn();
set local client_min_messages = error;
drop extension if exists pgmq cascade;
drop schema if exists pgmq cascade;

create function pg_temp.refuse() returns event_trigger language plpgsql as $$
begin
  raise exception using errcode = 'insufficient_privilege', message = 'permission denied to create extension "pgmq"';
end;
$$;
create event trigger tap_no_extensions on ddl_command_start when tag in ('CREATE EXTENSION') execute function pg_temp.refuse();

create schema tasker_pgmq authorization tasker_owner;
create function tasker_pgmq._pgtasker_version() returns text language sql as $$ select '1.11' $$;
select is(tasker.settle_pgmq(), 'own', 'pgtasker''s own pgmq is used');
select hasnt_extension('pgmq'::name, 'the extension is not created');
select is(current_setting('role'), 'none', 'the role is the same as before');

select * from finish();
rollback;
