begin;
select plan(4);

select throws_ok('select tasker.pause_namespace(null)', 'TK404', 'namespace null does not exist', 'a null name is refused');
select throws_ok($$ select tasker.pause_namespace('') $$, 'TK404', 'namespace "" does not exist', 'an empty name is refused');
select throws_ok($$ select tasker.pause_namespace('nowhere') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown name is refused');
select throws_ok(
  $$ select tasker.pause_namespace('''; drop table tasker.tasks; --') $$,
  'TK404', 'namespace "''; drop table tasker.tasks; --" does not exist', 'a hostile name is refused'
);

select * from finish();
rollback;
