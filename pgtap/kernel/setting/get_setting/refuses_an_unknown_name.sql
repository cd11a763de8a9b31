begin;
select plan(5);

select throws_ok(
  $$ select tasker.get_setting('max_attemps') $$,
  'TK404', 'setting "max_attemps" does not exist',
  'a misspelt name is refused'
);
select throws_ok(
  $$ select tasker.get_setting('MAX_ATTEMPTS') $$,
  'TK404', 'setting "MAX_ATTEMPTS" does not exist',
  'a name in capitals is refused'
);
select throws_ok(
  $$ select tasker.get_setting(null) $$,
  'TK404', 'setting null does not exist',
  'a null name is refused'
);
select throws_ok(
  $$ select tasker.get_setting('') $$,
  'TK404', 'setting "" does not exist',
  'an empty name is refused'
);
select throws_ok(
  $$ select tasker.get_setting('x''; drop schema tasker cascade; --') $$,
  'TK404', 'setting "x''; drop schema tasker cascade; --" does not exist',
  'a hostile name is refused'
);

select * from finish();
rollback;
