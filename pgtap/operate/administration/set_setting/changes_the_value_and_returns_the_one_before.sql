begin;
select plan(4);

select tasker_test.take_turn();

select is(tasker.set_setting('max_attempts', '5'), '3', 'it returns the former value');
select is(tasker.get_setting('max_attempts'), '5', 'the setting has the new value');
select is(tasker.set_setting('max_attempts', '7'), '5', 'the next call returns the value of the first');
select is(
  (select array_agg(s.name) from tasker.list_settings() as s where s.value <> s.default_value), '{max_attempts}',
  'no other setting has changed'
);

select * from finish();
rollback;
