create or replace function tasker.brokered_namespaces()
  returns text[]
  language sql
  stable
begin atomic
  select array(select n.name from tasker.task_namespaces as n where n.transport = 'broker');
end;

comment on function tasker.brokered_namespaces is
$$Returns the namespaces whose ready steps go to workers through a broker. Workers claim these steps by the broker's messages only.$$;
