begin;
select plan(5);

create function pg_temp.admits(p_path integer) returns boolean language plpgsql as $$
begin
  perform p_path::tasker.task_path;
  return true;
exception when check_violation then
  return false;
end;
$$;

select set_eq(
  'select n from generate_series(-1, 4100) as n where pg_temp.admits(n)',
  'select distinct p.path::integer from tasker.task_log_paths as p',
  'the domain admits the numbers that have a path, and no others'
);
select is_empty(
  $$
  select p.path
    from (
      select
        p.*, lag(p.to_state) over w as before, row_number() over w as place, count(*) over (partition by p.path) as length
        from tasker.task_log_paths as p
      window w as (partition by p.path order by p.position)
    ) as p
   where p.before is distinct from case when p.position > 1 then p.from_state end
      or (p.position = p.place and p.after = p.length - p.place) is not true
  $$,
  'the transitions of a path follow one another, and "after" counts those that follow'
);
select is_empty(
  $$ select p.from_state, p.event, p.to_state from tasker.task_log_paths as p where p.position = 1 and p.after = 0 group by 1, 2, 3 having count(*) > 1 $$,
  'a transition alone is one path'
);
select is_empty(
  $$
  select p.path
    from tasker.task_log_paths as p
   where p.path / 1000 is distinct from case when p.after > 0 then p.path / 1000 when p.to_state = 'error' then 1 when p.to_state = 'cancelled' then 2 when p.to_state = 'resolved_manually' then 3 else 0 end
      or p.after > 0 and p.to_state in ('error', 'cancelled', 'resolved_manually')
  $$,
  'the thousands of a path say how it ends'
);
select throws_ok(
  'update tasker.task_log_paths set event = event', 'TK403', 'rows of tasker.task_log_paths are never changed or deleted',
  'what a path means is never changed'
);

select * from finish();
rollback;
