create or replace function tasker.halted_tasks(p_tasks tasker.task_facts[], p_moves tasker.step_moves[])
  returns uuid[]
  language plpgsql
  immutable
as $$
begin
  return array(
    select f.task_uuid
      from unnest(p_tasks) as f
     where tasker.task_halts(f.on_failure, f.failed_steps + (
       select count(*) filter (where m.to_state = 'error') - count(*) filter (where m.from_state = 'error')
         from unnest(p_moves) as m
        where m.task_uuid = f.task_uuid
          and m.event is not null
     )::integer)
  );
end;
$$;

comment on function tasker.halted_tasks is
$$Returns the tasks that start no more steps after these moves, because they have a failure that was not tolerated and their template halts on failures.$$;
