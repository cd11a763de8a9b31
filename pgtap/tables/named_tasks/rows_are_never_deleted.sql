begin;
select plan(2);

select tasker_test.register_diamond();

select throws_ok(
  'delete from tasker.named_tasks',
  'TK409', 'rows of tasker.named_tasks are never deleted',
  'a template cannot be deleted, as tasks may refer to it'
);
-- The test reads the trigger, since truncate would wait for all sessions that read the table.
select isnt_empty(
  $$
  select
    from pg_trigger as t
   where t.tgrelid = 'tasker.named_tasks'::regclass
     and t.tgfoid = 'tasker.refuse_registry_delete'::regproc
     and pg_get_triggerdef(t.oid) ~ 'BEFORE .*TRUNCATE'
  $$,
  'a trigger refuses truncate'
);

select * from finish();
rollback;
