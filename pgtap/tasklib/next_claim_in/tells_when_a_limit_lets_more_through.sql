begin;
select plan(9);

select tasker_test.freeze_tasklib(date_trunc('second', now()));
select tasklib.register_task('free');
select tasklib.register_task('narrow', '{"concurrency_limit": 2}');
select tasklib.register_task('slow', '{"rate_limit": 10, "rate_period_seconds": 5}');

select is(tasklib.next_claim_in('{free,narrow,slow}'), null, 'it returns null when no task is ready');
select tasklib.submit_tasks('free', array_fill('{}'::jsonb, array[3]));
select is(tasklib.next_claim_in('{free,narrow,slow}'), null, 'it returns null for a name without a limit');
select tasklib.submit_tasks('narrow', array_fill('{}'::jsonb, array[3]));
select is(tasklib.next_claim_in('{narrow}'), 0::double precision, 'it returns 0 when a limit has places left');
create temporary table c as select * from tasklib.claim_tasks('{narrow}', 'w', 10);
select is(tasklib.next_claim_in('{narrow}'), 'infinity'::double precision, 'it returns infinity while both places are taken');
select tasklib.submit_tasks('slow', array_fill('{}'::jsonb, array[20]));
select is((select count(*) from tasklib.claim_tasks('{slow}', 'w', 100)), 10::bigint, 'a claim uses up the rate');
select is(tasklib.next_claim_in('{slow,narrow}'), 0.5::double precision, 'it returns the delay of the name that opens first: a tenth of five seconds');
select tasker_test.pass('400 milliseconds');
select is(round(tasklib.next_claim_in('{slow}')::numeric, 3), 0.1, 'it returns less after some of that time');
select tasklib.complete_tasks('w', array_agg(c.id), array_agg(c.claim_no)) from c where c.id = (select min(d.id::text)::uuid from c as d);
select is(tasklib.next_claim_in('{narrow}'), 0::double precision, 'it returns 0 when a task has completed');
select throws_ok($$ select tasklib.next_claim_in('{missing}') $$, 'TK404', 'no task is registered as "missing"', 'a name that is not registered is refused');

select * from finish();
rollback;
