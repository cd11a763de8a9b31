begin;
select plan(4);

select throws_ok(
  $$ select tasker.set_setting('retry_limit', '3') $$,
  'TK404', 'setting "retry_limit" does not exist',
  'an unknown name is refused'
);
select throws_ok(
  $$ select tasker.set_setting(null, '3') $$,
  'TK404', 'setting null does not exist',
  'a null name is refused'
);
select throws_ok(
  $$ select tasker.set_setting('max_attempts''; drop schema tasker cascade; --', '3') $$,
  'TK404', 'setting "max_attempts''; drop schema tasker cascade; --" does not exist',
  'a hostile name is refused'
);
select is_empty(
  $$ select name from tasker.list_settings() where changed_at is not null $$,
  'no setting has changed'
);

select * from finish();
rollback;
