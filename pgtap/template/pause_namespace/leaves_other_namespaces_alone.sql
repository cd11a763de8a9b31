begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('elsewhere');
select tasker_test.create_task();

select ok(tasker.pause_namespace('elsewhere'), 'another one is paused');
select lives_ok($$ select tasker_test.claim('top') $$, 'this one is not');

select * from finish();
rollback;
