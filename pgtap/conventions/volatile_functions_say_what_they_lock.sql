-- docs/locking.md has the whole picture; the comment of each function has its own locks.
begin;
select plan(3);

-- Functions that a role may call and that may write.
create temporary table callable as
  select p.oid, p.proname::text as name, obj_description(p.oid, 'pg_proc') as comment, p.prosrc
    from pg_proc as p
   where p.pronamespace = 'tasker'::regnamespace
     and p.provolatile = 'v'
     and exists (
       select
         from aclexplode(p.proacl) as a
        where a.grantee <> p.proowner
          and a.privilege_type = 'EXECUTE'
     );

select cmp_ok((select count(*) from callable), '>', 30::bigint, 'there are volatile functions that roles may call');
select is_empty(
  $$
  select c.name
    from callable as c
   where c.comment !~* '\mlock(s|ed)?\M'
     and c.name not in (
       'uuid_generate_v7',             -- touches no table
       'get_queue_statistics',         -- reads; volatile for its dynamic SQL
       'pgmq_read_specific_message',   -- pgmq's functions, under pgmq's rules
       'pgmq_send_with_notify',
       'pgmq_send_batch_with_notify'
     )
  $$,
  'the comment of each function says what it locks'
);
select is_empty(
  $$
  select c.name
    from callable as c
   where c.prosrc ~* '\mlock\s+table\M'
  $$,
  'no function locks a table'
);

select * from finish();
rollback;
