begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('one', 'charge');
select throws_ok($$ select tasker.resume_handler('test', 'chrge') $$, 'TK404', 'no template has a handler "chrge"', 'an unknown handler is refused');
select tasker.pause_handler('test', 'charge');
select is(tasker.resume_handler('test', 'charge'), true, 'a paused one is resumed');

select * from finish();
rollback;
