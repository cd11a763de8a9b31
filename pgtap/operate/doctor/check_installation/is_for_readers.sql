begin;
select plan(2);

set local role tasker_reader;
select isnt_empty('select from tasker.check_installation()', 'a reader may call it');
reset role;
set local role tasker_submitter;
select throws_ok('select from tasker.check_installation()', '42501', null, 'a submitter may not call it');

select * from finish();
rollback;
