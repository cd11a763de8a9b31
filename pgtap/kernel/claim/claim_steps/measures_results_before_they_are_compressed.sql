begin;
select plan(1);

select tasker_test.freeze();
select tasker.set_setting('claim_bytes', '2048');
select tasker_test.register('pair', 'first', 'second first');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.complete('first', jsonb_build_object('text', repeat('z', 100000)));
select is((select c.parent_results is null from tasker_test.claim() as c), true, 'a compressible result is measured by its full length');

select * from finish();
rollback;
