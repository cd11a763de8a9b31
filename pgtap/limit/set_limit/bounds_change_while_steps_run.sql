begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.limited();
select is((select l.concurrency from tasker.set_limit('test', 'stripe', 20) as l), 20, 'twenty may run');
select tasker_test.make_limited(200);
select is((select count(*) from tasker_test.claim()), 20::bigint, 'twenty are handed out');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'then none');

select tasker.set_limit('test', 'stripe', 5);
select is(tasker_test.complete_limited(14), 14::bigint, 'six go on');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'which is more than the new limit of five');
select tasker_test.complete_limited(2);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'four go on, so one more is handed out');

select tasker.set_limit('test', 'stripe', 50);
select is((select count(*) from tasker_test.claim()), 45::bigint, 'fifty at the next claim');
select tasker.set_limit('test', 'stripe', 0);
select tasker_test.complete_limited();
select is((select count(*) from tasker_test.claim()), 0::bigint, 'nought stops them');
select tasker.set_limit('test', 'stripe', 1);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'with nothing running, the change alone opens the line');
select tasker.set_limit('test', 'stripe');
select is((select count(*) from tasker_test.claim(1000)), 133::bigint, 'without bounds all are handed out');
select tasker_test.complete_limited();
select is_empty('select * from tasker.check_integrity()', 'and all rows agree');

select * from finish();
rollback;
