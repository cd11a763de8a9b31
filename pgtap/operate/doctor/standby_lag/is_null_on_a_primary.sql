begin;
select plan(2);

select is(tasker.standby_lag(), null::double precision, 'it returns null to the owner');
set local role tasker_server;
select is(tasker.standby_lag(), null::double precision, 'it returns null to tasker_server');

select * from finish();
rollback;
