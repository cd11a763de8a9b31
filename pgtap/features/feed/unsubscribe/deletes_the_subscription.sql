begin;
select plan(3);

select tasker_test.subscribe();
select is(tasker.unsubscribe('all'), true, 'unsubscribe returns true for a subscription');
select is(tasker.unsubscribe('all'), false, 'unsubscribe returns false for an unknown subscription');
select is(tasker.unsubscribe(null), false, 'unsubscribe returns false for null');

select * from finish();
rollback;
