-- Roles belong to the cluster and are kept.
-- down: nothing
do $$
begin
  create role tasker_owner nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end;
$$;

do $$
begin
  create role tasker_operator nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end;
$$;
