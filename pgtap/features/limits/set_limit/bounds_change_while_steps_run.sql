begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.limited();
select is((select l.concurrency from tasker.set_limit('test', 'stripe', 20) as l), 20, 'set_limit returns the new concurrency');
select tasker_test.make_limited(200);
select is((select count(*) from tasker_test.claim()), 20::bigint, 'a claim hands out twenty steps');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'the next claim gets no step');

select tasker.set_limit('test', 'stripe', 5);
select is(tasker_test.complete_limited(14), 14::bigint, 'six steps still run after fourteen results');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'no step starts while six run under a limit of five');
select tasker_test.complete_limited(2);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'a step starts when four run');

select tasker.set_limit('test', 'stripe', 50);
select is((select count(*) from tasker_test.claim()), 45::bigint, 'the next claim after a raise to fifty fills it');
select tasker.set_limit('test', 'stripe', 0);
select tasker_test.complete_limited();
select is((select count(*) from tasker_test.claim()), 0::bigint, 'a concurrency of zero stops all starts');
select tasker.set_limit('test', 'stripe', 1);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'a raised concurrency opens the line although no step runs');
select tasker.set_limit('test', 'stripe');
select is((select count(*) from tasker_test.claim(1000)), 133::bigint, 'a limit without bounds hands out all steps');
select tasker_test.complete_limited();
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
