begin;
select plan(2);

select is(tasker.standby_lag(), null::double precision, 'no lag');
set local role tasker_server;
select is(tasker.standby_lag(), null::double precision, 'for who serves others, too');

select * from finish();
rollback;
