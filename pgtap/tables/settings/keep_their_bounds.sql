begin;
select plan(2);

select throws_ok(
  $$ update tasker.settings set maximum = 1000000000 where name = 'lease_seconds' $$,
  'TK403', 'rows of tasker.settings never change the columns that they were created with', 'the bounds of a setting cannot be changed'
);
select lives_ok($$ update tasker.settings set value = '61' where name = 'lease_seconds' $$, 'its value can be changed');

select * from finish();
rollback;
