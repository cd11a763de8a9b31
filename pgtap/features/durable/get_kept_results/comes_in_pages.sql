begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker_test.keep(n, 'call.' || n, to_jsonb(repeat('x', 400))) from generate_series(1, 5) as n;
prepare page (integer, integer) as
  select k.name from tasker.get_kept_results(tasker_test.the_step('work'), $1, $2) as k order by k.position;
select results_eq('execute page (0, 2)', $$ values ('call.1'), ('call.2') $$, 'the first page');
select results_eq('execute page (4, 2)', $$ values ('call.5') $$, 'the last page');
select results_eq('execute page (null, 1)', $$ values ('call.1') $$, 'from the beginning');
select throws_ok('execute page (0, 0)', 'TK422', 'a limit of 0 is out of range', 'a limit of zero is refused');
select throws_ok(
  $$ select * from tasker.get_kept_results('01980000-0000-7000-8000-000000000001') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker.set_setting('claim_bytes', '2500');
select results_eq(
  $$ select c.kept from tasker.claim_step(tasker_test.the_step('work'), tasker_test.worker(1)) as c $$,
  $$ values ('{"round": 0, "count": 5, "results": null}'::jsonb) $$, 'a claim leaves out results that are too large for it'
);

select * from finish();
rollback;
