begin;
select plan(2);

set local role tasker_reader;
select isnt_empty('select from tasker.check_installation()', 'a reader may ask');
reset role;
set local role tasker_submitter;
select throws_ok('select from tasker.check_installation()', '42501', null, 'a submitter may not');

select * from finish();
rollback;
