begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('single', 'a');
select tasker_test.launch('single');
create function pg_temp.fail()
  returns void
  language sql
begin atomic
  select tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{no}', p_backoff_seconds => '{0}') from tasker_test.claim(1) as c;
end;
select pg_temp.fail();
select tasker_test.pass('1 minute');
select pg_temp.fail();
select tasker_test.pass('1 minute');
select pg_temp.fail();
select is((select count(*) from tasker.get_step_audit_history(tasker_test.the_step('a'))), 3::bigint, 'it returns all three results without a limit');
select results_eq(
  $$
  select a.sort_key, b.sort_key
    from tasker.get_step_audit_history(tasker_test.the_step('a'), 1) as a
   cross join lateral tasker.get_step_audit_history(tasker_test.the_step('a'), 2, a.sort_key) as b
  $$,
  $$
  select max(h.sort_key) over (), h.sort_key from tasker.get_step_audit_history(tasker_test.the_step('a')) as h offset 1
  $$,
  'the second page has the two results before the first page'
);
select throws_ok($$ select tasker.get_step_audit_history(tasker_test.the_step('a'), 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');
select throws_ok($$ select tasker.get_step_audit_history(tasker_test.the_step('a'), 100001) $$, 'TK422', 'a limit of 100001 is out of range', 'a limit of 100,001 is refused');

select * from finish();
rollback;
