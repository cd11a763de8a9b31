begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('elsewhere');
select tasker_test.create_task();

select ok(tasker.pause_namespace('elsewhere'), 'another namespace is paused');
select lives_ok($$ select tasker_test.claim('top') $$, 'a step of this namespace is claimed');

select * from finish();
rollback;
