begin;
select plan(9);

select tasker_test.freeze_tasklib(date_trunc('second', now()));
select tasklib.register_task('free');
select tasklib.register_task('narrow', '{"concurrency_limit": 2}');
select tasklib.register_task('slow', '{"rate_limit": 10, "rate_period_seconds": 5}');

select is(tasklib.next_claim_in('{free,narrow,slow}'), null, 'nothing is ready');
select tasklib.submit_tasks('free', array_fill('{}'::jsonb, array[3]));
select is(tasklib.next_claim_in('{free,narrow,slow}'), null, 'what has no limit needs no answer');
select tasklib.submit_tasks('narrow', array_fill('{}'::jsonb, array[3]));
select is(tasklib.next_claim_in('{narrow}'), 0::double precision, 'there is room');
create temporary table c as select * from tasklib.claim_tasks('{narrow}', 'w', 10);
select is(tasklib.next_claim_in('{narrow}'), 'infinity'::double precision, 'not before one of two has ended');
select tasklib.submit_tasks('slow', array_fill('{}'::jsonb, array[20]));
select is((select count(*) from tasklib.claim_tasks('{slow}', 'w', 100)), 10::bigint, 'the rate is used up');
select is(tasklib.next_claim_in('{slow,narrow}'), 0.5::double precision, 'a tenth of five seconds; the soonest counts');
select tasker_test.pass('400 milliseconds');
select is(round(tasklib.next_claim_in('{slow}')::numeric, 3), 0.1, 'less when time has passed');
select tasklib.complete_tasks('w', array_agg(c.id), array_agg(c.claim_no)) from c where c.id = (select min(d.id::text)::uuid from c as d);
select is(tasklib.next_claim_in('{narrow}'), 0::double precision, 'one has ended');
select throws_ok($$ select tasklib.next_claim_in('{nobody}') $$, 'TK404', 'no task is registered as "nobody"', 'an unknown name');

select * from finish();
rollback;
