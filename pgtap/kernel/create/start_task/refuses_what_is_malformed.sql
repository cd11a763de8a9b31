begin;
select plan(5);

select tasker_test.register('one', 'only');
select throws_ok(
  $$ select tasker.start_task('test', 'one', '00000000-0000-0000-0000-0000000000c1') $$,
  'TK409', 'starting a task needs its own transaction', 'a transaction that has written is refused'
);
select tasker_test.allow_starts();
select throws_ok($$ select tasker.start_task('test', 'one', null) $$, 'TK422', 'a claim names no worker', 'a null worker is refused');
select throws_ok(
  $$ select tasker.start_task('test', 'one', '00000000-0000-0000-0000-0000000000c1', p_limit => 1001) $$, 'TK422', 'the limit is 1001; it must be between 0 and 1000', 'a limit that is too large is refused'
);
select throws_ok(
  $$ select tasker.start_task('test', 'one', '00000000-0000-0000-0000-0000000000c1', p_lease_seconds => 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused'
);
select throws_ok(
  $$ select tasker.start_task('test', 'none', '00000000-0000-0000-0000-0000000000c1') $$, 'TK404', 'template "test/none" does not exist', 'an unknown template is refused'
);

select * from finish();
rollback;
