begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.begin_function();
select from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'a', 1, '1');
select from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 2, 'a', 2, '2');
select from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 3, 'b', 1, '3');
select is_empty('select * from tasker.check_integrity()', 'no row: nothing is wrong');

create function pg_temp.altered(p_sql text) returns setof text language plpgsql as $$
begin
  begin
    alter table tasker.kept_results disable trigger user;
    execute p_sql;
    alter table tasker.kept_results enable always trigger kept_results_refuse_change;
    return query select format('step %s: %s', p.step_no, p.problem) from tasker.check_integrity() as p where p.object = 'kept_results';
    raise exception 'undo';
  exception when raise_exception then
    null;
  end;
end;
$$;
select set_eq(
  $$ select pg_temp.altered('delete from tasker.kept_results as k where k.kept_no = 1') $$,
  array['step 1: has 2 results up to position 3', 'step 1: counts "a" at position 2 as 2, not as 1'], 'a result that was deleted'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.kept_results as k set occurrence = 2 where k.kept_no = 3') $$,
  array['step 1: counts "b" at position 3 as 2, not as 1'], 'a call that was counted twice'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.workflow_steps as s set function_round = null where s.name = ''work''') $$,
  array['step 1: has results of a step that has kept none'], 'results of a step that is no function'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.kept_results as k set step_no = 9') $$,
  array['step 9: has results of a step that does not exist'], 'results of no step'
);

select * from finish();
rollback;
