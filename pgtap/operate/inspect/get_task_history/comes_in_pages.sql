-- Every page begins after the last event of the previous page, also among events with the same time.
begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.complete(s) from unnest('{top}'::text[]) as s where tasker_test.claim(s) is not null;
create function pg_temp.pages(p_limit integer)
  returns setof tasker.task_events
  language plpgsql
as $$
declare
  v_last tasker.task_events;
  v_more boolean := true;
begin
  while v_more loop
    v_more := false;
    for v_last in
      select h.* from tasker.get_task_history(tasker_test.the_task(), p_limit, v_last.step_no, v_last.sort_key) as h
    loop
      v_more := true;
      return next v_last;
    end loop;
  end loop;
end;
$$;

select cmp_ok((select count(*) from tasker.get_task_history(tasker_test.the_task())), '>', 6::bigint, 'the task has more than six events');
select cmp_ok(
  (select count(*) - count(distinct h.occurred_at) from tasker.get_task_history(tasker_test.the_task()) as h), '>', 2::bigint, 'more than two events share their time with others'
);
select results_eq(
  format('select * from pg_temp.pages(%s)', n), 'select * from tasker.get_task_history(tasker_test.the_task())', 'all pages have the same rows with a limit of ' || n
)
from unnest('{1,2,3}'::integer[]) as n;
select results_eq(
  $$
  select a.sort_key, b.sort_key
    from tasker.get_step_history(tasker_test.the_step('top'), 1) as a
   cross join lateral tasker.get_step_history(tasker_test.the_step('top'), 1, a.sort_key) as b
  $$,
  $$ select h.sort_key, (lead(h.sort_key) over (order by h.sort_key)) from tasker.get_step_history(tasker_test.the_step('top')) as h limit 1 $$,
  'the history of a step comes in pages, too'
);
select throws_ok(
  $$ select tasker.get_task_history(tasker_test.the_task(), 10, 1, 10000) $$, 'TK422', 'the history has no such event to begin after', 'a page cannot begin after an unknown event of a step'
);
select throws_ok(
  $$ select tasker.get_task_history(tasker_test.the_task(), 10, null, -1) $$, 'TK422', 'the history has no such event to begin after', 'a page cannot begin after an unknown event of the task'
);
select is_empty(
  $$ select tasker.get_step_history(tasker_test.the_step('top'), 10, 2147483647) $$, 'a page after the last event is empty'
);

select * from finish();
rollback;
