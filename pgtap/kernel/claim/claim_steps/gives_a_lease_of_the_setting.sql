begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select is((select c.lease_until - tasker.clock() from tasker_test.claim(1) as c), interval '60 seconds', 'the setting is the default lease');
select tasker.set_setting('lease_seconds', '5');
select is((select c.lease_until - tasker.clock() from tasker_test.claim(1) as c), interval '5 seconds', 'a changed setting applies to the next claim');

select * from finish();
rollback;
