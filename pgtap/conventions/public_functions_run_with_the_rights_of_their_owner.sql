begin;
select plan(1);

select is_empty(
  $$
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace)
     and not p.prosecdef
     and p.prosqlbody is null
     -- The jobs of pg_cron belong to the role that creates them; only the caller itself may change its role.
     and p.proname not in ('uuid_generate_v7', 'setup_cron', 'assume_token', 'assume_session', 'assume_person')
     and exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner)
  $$,
  'every public function is SECURITY DEFINER, except arithmetic and five that need the caller''s rights'
);

select * from finish();
rollback;
