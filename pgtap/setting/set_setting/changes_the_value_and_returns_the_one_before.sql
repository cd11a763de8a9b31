begin;
select plan(4);

select tasker_test.take_turn();

select is(tasker.set_setting('max_attempts', '5'), '3', 'the answer is the value before');
select is(tasker.get_setting('max_attempts'), '5', 'the new one is in force');
select is(tasker.set_setting('max_attempts', '7'), '5', 'each time');
select is(
  (select array_agg(s.name) from tasker.list_settings() as s where s.value <> s.default_value), '{max_attempts}',
  'no other setting has changed'
);

select * from finish();
rollback;
