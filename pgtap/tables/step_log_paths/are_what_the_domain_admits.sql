begin;
select plan(5);

create function pg_temp.admits(p_path integer) returns boolean language plpgsql as $$
begin
  perform p_path::tasker.step_path;
  return true;
exception when check_violation then
  return false;
end;
$$;

select set_eq(
  'select n from generate_series(-1, 4100) as n where pg_temp.admits(n)',
  'select distinct p.path::integer from tasker.step_log_paths as p',
  'the domain admits the numbers that have a path, and no others'
);
select is_empty(
  $$
  select p.path
    from (
      select
        p.*, lag(p.to_state) over w as before, row_number() over w as place, count(*) over (partition by p.path) as length
        from tasker.step_log_paths as p
      window w as (partition by p.path order by p.position)
    ) as p
   where p.before is distinct from case when p.position > 1 then p.from_state end
      or (p.position = p.place and p.after = p.length - p.place) is not true
  $$,
  'the transitions of a path follow one another, and "after" counts those that follow'
);
select is_empty(
  $$ select p.start_state, p.from_state, p.event, p.to_state from tasker.step_log_paths as p where p.after = 0 group by 1, 2, 3, 4 having count(*) > 1 $$,
  'what a writer decides is one path'
);
select is_empty(
  $$
  select p.path
    from tasker.step_log_paths as p
   where (p.to_state = 'enqueued_as_error_for_orchestration') is distinct from (p.path >= 1000 and p.position = 1)
  $$,
  'a result fails on the paths from 1,000 on, with their first transition'
);
select throws_ok(
  'update tasker.step_log_paths set event = event', 'TK403', 'rows of tasker.step_log_paths are never changed or deleted',
  'what a path means is never changed'
);

select * from finish();
rollback;
