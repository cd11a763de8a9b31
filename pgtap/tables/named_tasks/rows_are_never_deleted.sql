begin;
select plan(2);

select tasker_test.register_diamond();

select throws_ok(
  'delete from tasker.named_tasks',
  'TK409', 'rows of tasker.named_tasks are never deleted',
  'a template stays, tasks may refer to it'
);
-- Read, not tried: truncate would wait for everybody who reads.
select isnt_empty(
  $$
  select
    from pg_trigger as t
   where t.tgrelid = 'tasker.named_tasks'::regclass
     and t.tgfoid = 'tasker.refuse_registry_delete'::regproc
     and pg_get_triggerdef(t.oid) ~ 'BEFORE .*TRUNCATE'
  $$,
  'all at once do not go either'
);

select * from finish();
rollback;
