begin;
select plan(3);

select tasker_test.register_diamond();

select throws_ok(
  'delete from tasker.named_tasks',
  'TK409', 'rows of tasker.named_tasks are never deleted',
  'a template stays, tasks may refer to it'
);
select throws_ok(
  'truncate tasker.named_tasks cascade',
  'TK409', null,
  'all at once does not go either'
);
select is((select count(*) from tasker.named_tasks where name = 'diamond'), 1::bigint, 'it is still there');

select * from finish();
rollback;
