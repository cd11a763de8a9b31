begin;
select plan(3);

select tasker_test.take_turn();
create role tap_endless login in role tasker_worker;
set local idle_in_transaction_session_timeout = 0;
prepare finding as select f.status, f.message like '%tap_endless%' from tasker.doctor_timeouts() as f where f.name = 'timeouts';
select results_eq('finding', $$ values ('warn', true) $$, 'a worker without a timeout for idle transactions is named');
alter role tap_endless set idle_in_transaction_session_timeout = '1min';
select is_empty(
  $$ select from tasker.doctor_timeouts() as f where f.name = 'timeouts' and f.message like '%tap_endless%' $$, 'a worker with a timeout is not named'
);
select is_empty(
  $$ select from tasker.doctor_timeouts() as f where f.name = 'timeouts' and f.message like '%postgres%' $$, 'a superuser is not named'
);

select * from finish();
rollback;
