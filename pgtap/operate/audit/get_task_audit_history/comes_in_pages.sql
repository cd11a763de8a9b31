-- Every page begins after the last result of the previous page, also among results with the same time.
begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.complete(s) from unnest('{left,right}'::text[]) as s where tasker_test.claim(s) is not null;
select tasker_test.run('bottom');
create function pg_temp.pages(p_limit integer)
  returns setof tasker.step_audits
  language plpgsql
as $$
declare
  v_last tasker.step_audits;
  v_more boolean := true;
begin
  while v_more loop
    v_more := false;
    for v_last in
      select a.* from tasker.get_task_audit_history(tasker_test.the_task(), p_limit, v_last.step_no, v_last.sort_key) as a
    loop
      v_more := true;
      return next v_last;
    end loop;
  end loop;
end;
$$;

select results_eq(
  'select count(*), count(distinct a.recorded_at) from tasker.get_task_audit_history(tasker_test.the_task()) as a',
  'values (4::bigint, 1::bigint)', 'four results have the same time'
);
select results_eq(
  format('select * from pg_temp.pages(%s)', n), 'select * from tasker.get_task_audit_history(tasker_test.the_task())', 'all pages have the same rows with a limit of ' || n
)
from unnest('{1,2,3}'::integer[]) as n;
select throws_ok(
  format('select tasker.get_task_audit_history(tasker_test.the_task(), 10, %s, %s)', a, b),
  'TK422', 'the audit has no such result to begin after', format('a page cannot begin after step %s, sort key %s', a, b)
)
from (values ('1', '10000'), ('1', '1'), ('1', 'null'), ('null', '2')) as u (a, b);

select * from finish();
rollback;
