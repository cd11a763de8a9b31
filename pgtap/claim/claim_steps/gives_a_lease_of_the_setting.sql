begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select is((select c.lease_until - tasker.clock() from tasker_test.claim(1) as c), interval '60 seconds', 'where the worker says nothing');
select tasker.set_setting('lease_seconds', '5');
select is((select c.lease_until - tasker.clock() from tasker_test.claim(1) as c), interval '5 seconds', 'as it is now');

select * from finish();
rollback;
