begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'done', 'failed', 'released', 'cancelled', 'never done');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.complete('done');
select tasker_test.fail('failed');
select tasker.release_steps(array[tasker_test.the_step('released')], '{1}');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select results_eq(
  $$ select l.step_uuid, l.claim_no, l.answer::text, l.lease_until is null
       from tasker.extend_leases(
         array[tasker_test.the_step('cancelled'), tasker_test.the_step('done'), '01980000-0000-7000-8000-000000000001', tasker_test.the_step('failed'),
               tasker_test.the_step('a'), tasker_test.the_step('released'), tasker_test.the_step('never')],
         '{1,1,1,1,1,1,0}'
       ) as l $$,
  $$ values
    (tasker_test.the_step('cancelled'), 1, 'cancelled', true), (tasker_test.the_step('done'), 1, 'stale', true),
    ('01980000-0000-7000-8000-000000000001', 1, 'not_found', true), (tasker_test.the_step('failed'), 1, 'stale', true),
    (tasker_test.the_step('a'), 1, 'extended', false), (tasker_test.the_step('released'), 1, 'stale', true), (tasker_test.the_step('never'), 0, 'stale', true) $$,
  'each step is answered, in order'
);
select results_eq(
  $$ select l.answer::text from tasker.extend_leases(array[tasker_test.the_step('a')], '{2}') as l $$, $$ values ('stale') $$, 'another claim number is stale'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
