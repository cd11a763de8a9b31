begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "attributes": {"customer": "$.customer", "status": {"results": {"a": "$.status"}}}, "steps": [{"name": "a"}]}'
);
select task_uuid as task from tasker.create_task('test', 'job', '{"customer": "ann"}') \gset
select tasker.complete_step_by_name(:'task', 'a', '{"status": "one"}');
create function pg_temp.altered(p_change text)
  returns setof text
  language plpgsql
as $$
begin
  begin
    execute p_change;
    return query select p.problem from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks') and p.problem like '%attribute%' order by 1;
    raise exception 'undone';
  exception
    when raise_exception then
      return;
  end;
end;
$$;
select is_empty($$ select p.* from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks') $$, 'nothing is wrong');
select results_eq(
  $$ select pg_temp.altered('update tasker.task_attributes set text_value = ''bob'' where step_no = 0') $$,
  array['does not have the value of the context in the attribute "customer"'], 'another value'
);
select results_eq(
  $$ select pg_temp.altered('delete from tasker.task_attributes where step_no = 0') $$,
  array['lacks the attribute "customer", whose value is in the context'], 'a value that was deleted'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.task_attributes set attribute_no = -1 where step_no = 1') $$,
  array['has the attribute "", which the template does not take from step 1'], 'an attribute that the template does not have'
);
select results_eq(
  $$ select pg_temp.altered('insert into tasker.task_attributes (task_uuid, attribute_no, step_no, text_value, changed_at) select ''01a1fe00-0000-7000-8000-000000000000'', attribute_no, 0, ''x'', now() from tasker.attributes where name = ''customer''') $$,
  array['has the attribute ' || (select attribute_no from tasker.attributes where name = 'customer') || ' of a task that does not exist'], 'an attribute of no task'
);
select from tasker.erase_task(:'task', 'asked for');
select is_empty($$ select p.* from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks') $$, 'an erased task has none, and nothing is wrong');

select * from finish();
rollback;
