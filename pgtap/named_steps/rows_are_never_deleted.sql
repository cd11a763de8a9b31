begin;
select plan(2);

select tasker_test.register_diamond();

select throws_ok(
  $$ delete from tasker.named_steps where name = 'top' $$,
  'TK409', 'rows of tasker.named_steps are never deleted',
  'a handler stays, steps refer to it'
);
select throws_ok(
  'truncate tasker.named_steps cascade',
  'TK409', null,
  'all at once does not go either'
);

select * from finish();
rollback;
