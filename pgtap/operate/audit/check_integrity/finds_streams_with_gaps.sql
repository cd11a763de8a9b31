begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["a", "b"]');
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["c"]');
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["d"]');
select from tasker.set_value(tasker_test.the_step('top'), 1, 'v', '1');
select is_empty('select * from tasker.check_integrity()', 'no row: nothing is wrong');

create function pg_temp.altered(p_sql text) returns setof text language plpgsql as $$
begin
  begin
    alter table tasker.stream_items disable trigger user;
    alter table tasker.step_streams disable trigger user;
    execute p_sql;
    return query select format('step %s: %s', p.step_no, p.problem) from tasker.check_integrity() as p where p.object = 'step_streams' and p.step_no is not null;
    raise exception 'undo';
  exception when raise_exception then
    null;
  end;
end;
$$;
select results_eq(
  $$ select pg_temp.altered('delete from tasker.stream_items as i where i.last_no = 3') $$,
  array['step 1: says that stream "log" has the items 1 to 4; there are 3, from 1 to 4'], 'an item that was deleted'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.stream_items as i set items = ''["a"]'' where i.last_no = 2') $$,
  array['step 1: says that stream "log" has the items 1 to 4; there are 3, from 1 to 4'], 'an item that was taken out of a row'
);
select results_eq(
  $$ select pg_temp.altered('delete from tasker.step_streams as h where h.name = ''log''') $$,
  array['step 1: has items of stream "log", which has no row'], 'a stream without its row'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.step_streams as h set value = ''1'' where h.name = ''log''') $$,
  array['step 1: has items of the value "log"'], 'a value with items'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.step_streams as h set step_no = 9 where h.name = ''v''') $$,
  array['step 9: has a stream "v" of a step that does not exist'], 'a value of no step'
);

select * from finish();
rollback;
