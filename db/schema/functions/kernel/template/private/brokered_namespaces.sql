create or replace function tasker.brokered_namespaces()
  returns text[]
  language sql
  stable
begin atomic
  select array(select n.name from tasker.task_namespaces as n where n.transport = 'broker');
end;

comment on function tasker.brokered_namespaces is
$$Returns the namespaces whose ready steps go to workers through a broker. Claims leave these steps to messages.$$;
