begin;
select plan(3);

select tasker_test.subscribe();
select is(tasker.unsubscribe('all'), true, 'dropped');
select is(tasker.unsubscribe('all'), false, 'it is gone');
select is(tasker.unsubscribe(null), false, 'null is none');

select * from finish();
rollback;
