begin;
select plan(3);

select tasker_test.take_turn();
create role tap_endless login in role tasker_worker;
set local idle_in_transaction_session_timeout = 0;
prepare finding as select f.status, f.message like '%tap_endless%' from tasker.doctor_roles() as f where f.name = 'timeouts';
select results_eq('finding', $$ values ('warn', true) $$, 'a worker that may leave its transaction open is named');
alter role tap_endless set idle_in_transaction_session_timeout = '1min';
select is_empty(
  $$ select from tasker.doctor_roles() as f where f.name = 'timeouts' and f.message like '%tap_endless%' $$, 'one that may not is not'
);
select is_empty(
  $$ select from tasker.doctor_roles() as f where f.name = 'timeouts' and f.message like '%postgres%' $$, 'nor is a superuser'
);

select * from finish();
rollback;
