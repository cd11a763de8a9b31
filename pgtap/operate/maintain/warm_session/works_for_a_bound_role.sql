begin;
select plan(1);

select tasker_test.take_turn();
select tasker.register_namespace('shop');
create role tap_warm;
grant tasker_worker to tap_warm;
create role tap_warm_login in role tap_warm;
select tasker.bind_role('tap_warm', '{shop}');
set local role tap_warm_login;
select ok(tasker.warm_session(), 'warm_session works in a namespace of the bound role');
reset role;

select * from finish();
rollback;
