create or replace function tasker.release_discoveries()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_over uuid[];
begin
  if not exists (select from tasker.waiting_tasks as w where w.discovered_until <= tasker.clock()) then
    return;
  end if;
  v_over := array(
    select w.task_uuid
      from tasker.waiting_tasks as w
     where w.discovered_until <= tasker.clock()
     order by w.discovered_until
     limit 1000
       for update skip locked
  );
  update tasker.waiting_tasks as w
     set discovered_until = null
   where w.task_uuid = any (v_over);
end;
$$;

comment on function tasker.release_discoveries is
$$Makes up to 1,000 deferred tasks discoverable again whose discovery lease has ended before they were started. Waits for no lock.$$;
