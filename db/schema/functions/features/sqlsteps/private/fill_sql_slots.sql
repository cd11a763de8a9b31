create or replace function tasker.fill_sql_slots()
  returns void
  language plpgsql
as $$
begin
  if not exists (select from tasker.sql_attempts as a where a.slot_no is null) then
    return;
  end if;
  with free as materialized (
    select s.slot_no
      from tasker.sql_slots as s
     where s.alone
       and not exists (select from tasker.sql_attempts as a where a.slot_no = s.slot_no)
       for update skip locked
  ),
  due as materialized (
    select a.task_uuid, a.step_no
      from tasker.sql_attempts as a
     where a.slot_no is null
     order by a.due_at
     limit (select count(*) from free)
       for update skip locked
  )
  update tasker.sql_attempts as a
     set slot_no = f.slot_no
    from (select f.slot_no, row_number() over (order by f.slot_no) as place from free as f) as f
    join (select d.task_uuid, d.step_no, row_number() over () as place from due as d) as d
      on d.place = f.place
   where a.task_uuid = d.task_uuid
     and a.step_no = d.step_no;
end;
$$;

comment on function tasker.fill_sql_slots is
$$Assigns the attempts that have been due longest to free slots. Locks the slots and the attempts, without waiting.$$;
