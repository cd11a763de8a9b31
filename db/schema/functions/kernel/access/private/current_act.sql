create or replace function tasker.current_act(p_call text)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_act text[];
begin
  -- A session may write any text into this setting. But a function with a reason has replaced the entry of the session.
  if exists (
    select
      from pg_proc as p
     where p.oid = to_regproc(case when p_call like '%.%' then p_call else 'tasker.' || p_call end)
       and 'p_reason' = any (p.proargnames)
  ) then
    select string_to_array(e.act, chr(31))
      into v_act
      from string_to_table(current_setting('tasker.act', true), chr(30)) as e (act)
     where split_part(e.act, chr(31), 1) = p_call;
  end if;
  return array[nullif(v_act[2], ''), nullif(v_act[3], '')];
end;
$$;

comment on function tasker.current_act is
$$Returns the actor and the reason that the caller passed to the running public function, as tasker.administer recorded them.$$;
