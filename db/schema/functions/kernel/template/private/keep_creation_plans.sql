create or replace function tasker.keep_creation_plans()
  returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_table_name = 'task_namespaces' then
    update tasker.creation_plans as p
       set namespace = new.name,
           transport = new.transport,
           notify    = new.notify,
           paused    = new.paused_at is not null
     where p.namespace = old.name;
  elsif tg_table_name = 'named_tasks' and tg_op = 'INSERT' then
    -- Lock first. If another transaction changes the namespace in the meantime, either it finds this row afterwards, or
    -- this call finds its change.
    perform from tasker.task_namespaces as n where n.task_namespace_uuid = new.task_namespace_uuid for share;
    insert into tasker.creation_plans
    select p.* from tasker.current_plan(new.named_task_uuid) as p;
  elsif tg_table_name = 'named_tasks' then
    update tasker.creation_plans as p
       set name              = n.name,
           version           = n.version,
           retired_at        = n.retired_at,
           created_at        = n.created_at,
           identity_strategy = n.identity_strategy,
           state             = n.state,
           complete          = n.complete,
           has_maps          = n.has_maps,
           total_steps       = n.total_steps,
           active_steps      = n.active_steps,
           suspended_steps   = n.suspended_steps,
           transition_count  = n.transition_count,
           root_effects      = n.root_effects,
           path              = n.path,
           ready             = n.ready,
           undo              = n.undo,
           on_failure        = n.on_failure,
           input_schema      = n.input_schema,
           runs              = n.runs
      from tasker.current_plan(new.named_task_uuid) as n
     where p.named_task_uuid = new.named_task_uuid;
  else
    update tasker.creation_plans as p
       set ready          = n.ready,
           first_no       = n.first_no,
           first_handler  = n.first_handler,
           first_priority = n.first_priority
      from (select distinct c.named_task_uuid from changed_rows as c) as c
     cross join lateral tasker.current_plan(c.named_task_uuid) as n
     where p.named_task_uuid = n.named_task_uuid;
  end if;
  return null;
end;
$$;

comment on function tasker.keep_creation_plans is
$$Trigger function of namespaces, templates and their steps: keeps tasker.creation_plans up to date. Locks a new template's namespace, then rows of the plans. Each trigger changes its own columns, so that two triggers at the same time lose no change.$$;
