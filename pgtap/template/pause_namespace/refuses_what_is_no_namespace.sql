begin;
select plan(4);

select throws_ok('select tasker.pause_namespace(null)', 'TK404', 'namespace null does not exist', 'null');
select throws_ok($$ select tasker.pause_namespace('') $$, 'TK404', 'namespace "" does not exist', 'an empty name');
select throws_ok($$ select tasker.pause_namespace('nowhere') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown one');
select throws_ok(
  $$ select tasker.pause_namespace('''; drop table tasker.tasks; --') $$,
  'TK404', 'namespace "''; drop table tasker.tasks; --" does not exist', 'hostile text'
);

select * from finish();
rollback;
