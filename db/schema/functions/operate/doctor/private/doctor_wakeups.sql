create or replace function tasker.doctor_wakeups()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound    text[] := tasker.bound_namespaces();
  v_setting  text := (select s.value from tasker.settings as s where s.name = 'notify');
  v_own      text := (
    select string_agg(format('%s in "%s"', n.notify, n.name), ', ' order by n.name)
      from tasker.task_namespaces as n
     where n.notify <> v_setting
       and (v_bound is null or n.name = any (v_bound))
  );
  -- A transaction with NOTIFY cannot be prepared. With the value "asleep" a transaction notifies only sometimes.
  v_prepares boolean := current_setting('max_prepared_transactions')::integer > 0 and (
    v_setting <> 'off'
    or exists (select from tasker.task_namespaces as n where n.notify <> 'off')
  );
begin
  return query
  select
    'wakeups',
    case when v_prepares then 'warn' else 'ok' end,
    concat('notify is ', v_setting, ', ' || v_own,
      case when v_prepares then format('; max_prepared_transactions is %s', current_setting('max_prepared_transactions')) end),
    case when v_prepares then
      'If clients prepare transactions (PREPARE TRANSACTION) that create tasks or record results, set notify to off: PostgreSQL refuses to prepare a transaction that has notified.'
    end;
end;
$$;

comment on function tasker.doctor_wakeups is
$$Reports how clients are woken, and whether that conflicts with prepared transactions.$$;
