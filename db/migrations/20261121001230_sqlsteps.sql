-- sqlsteps: steps that are functions of the database
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/features/sqlsteps/sql_roles.sql
create table tasker.sql_roles (
  namespace  text         not null,
  role       regrole      not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.recorded_caller(),

  constraint sql_roles_pkey
    primary key (namespace),
  constraint sql_roles_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

comment on table tasker.sql_roles is
  'The roles that SQL steps run as, one role for each namespace that has SQL steps. tasker.bind_sql_role writes this table.';
comment on column tasker.sql_roles.role is
  'The oid of the role, so that a renamed role stays bound. A dump has the name, so that a restored role stays bound, too.';
-- <<<

-- >>> db/schema/tables/features/sqlsteps/sql_slots.sql
create table tasker.sql_slots (
  slot_no  integer  not null,
  alone    boolean  not null,
  ran      bigint   not null,

  constraint sql_slots_pkey
    primary key (slot_no)
) with (fillfactor = 50);

comment on table tasker.sql_slots is
  'Slots for the sessions that run SQL steps: each session locks one slot. A call takes the next number of the slot''s sequence, which a rollback does not undo, and writes the number into ran at its end. If the sequence and ran differ, the newest call in the slot left no record.';
comment on column tasker.sql_slots.alone is
  'Whether a call in this slot runs one step whose attempt is in tasker.sql_attempts. If false, calls in this slot claim steps and run them.';
comment on column tasker.sql_slots.ran is
  'The number of the newest call in this slot that ended.';
-- <<<

-- >>> db/schema/data/sql_slots.sql
-- down: drop sequence tasker.sql_slot_1, tasker.sql_slot_2, tasker.sql_slot_3, tasker.sql_slot_4, tasker.sql_slot_5, tasker.sql_slot_6, tasker.sql_slot_7, tasker.sql_slot_8, tasker.sql_slot_9, tasker.sql_slot_10, tasker.sql_slot_11, tasker.sql_slot_12, tasker.sql_slot_13, tasker.sql_slot_14, tasker.sql_slot_15, tasker.sql_slot_16, tasker.sql_slot_17, tasker.sql_slot_18, tasker.sql_slot_19, tasker.sql_slot_20, tasker.sql_slot_21, tasker.sql_slot_22, tasker.sql_slot_23, tasker.sql_slot_24;

-- The sequences are unlogged, so that a crash of the server restarts them. A sequence then differs from ran, which
-- reveals the calls that the crash ended.
do $$
begin
  for v_slot in 1 .. 24 loop
    execute format('create unlogged sequence tasker.sql_slot_%s', v_slot);
    execute format('comment on sequence tasker.sql_slot_%s is %L', v_slot, 'Numbers the calls in a slot of tasker.sql_slots.');
    insert into tasker.sql_slots (slot_no, alone, ran)
    values (v_slot, v_slot > 8, nextval(format('tasker.sql_slot_%s', v_slot)));
  end loop;
end;
$$;
-- <<<

-- >>> db/schema/tables/features/sqlsteps/sql_attempts.sql
create table tasker.sql_attempts (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  claim_no         integer      not null,
  namespace        text         not null,
  timeout_seconds  integer,
  conflicts        integer      not null  default 0,
  due_at           timestamptz  not null  default tasker.write_clock(),
  slot_no          integer,

  constraint sql_attempts_pkey
    primary key (task_uuid, step_no),
  constraint sql_attempts_slot_no_key
    unique (slot_no),
  constraint sql_attempts_slot_no_fkey
    foreign key (slot_no) references tasker.sql_slots (slot_no)
) with (fillfactor = 70);

create index sql_attempts_due_idx
  on tasker.sql_attempts (due_at)
  where slot_no is null;

comment on index tasker.sql_attempts_due_idx is
  'Serves the choice of the attempt that a free slot takes next.';

comment on table tasker.sql_attempts is
  'Attempts of SQL steps that are claimed but whose function was not called yet, because each must be alone in a call of tasker.run_sql_steps. These are steps with a time-out, steps that were tried before, and all steps of a claim after a call that left no record.';
comment on column tasker.sql_attempts.conflicts is
  'The number of times that the call of the step''s function ended in a deadlock, a serialization failure or a wait for a lock. These ends do not count as attempts.';
comment on column tasker.sql_attempts.slot_no is
  'The slot whose next call runs the attempt. Null if the attempt waits for a slot. If a call leaves no record, the slot shows which attempt the call belonged to.';
-- <<<

-- >>> db/schema/rows/features/sqlsteps/sql_runs.sql
create or replace view tasker.sql_runs as
select
  0::integer as completed,
  0::integer as failed,
  0::integer as put_off,
  false::boolean as more
where false;

comment on view tasker.sql_runs is
  'Row type: the report of a call of tasker.run_sql_steps.';
comment on column tasker.sql_runs.put_off is
  'The number of steps that the call claimed but did not run. A row in tasker.sql_attempts lets a later call run each of these steps alone.';
comment on column tasker.sql_runs.more is
  'Whether more work is due, so that another call should follow at once.';
-- <<<

-- >>> db/schema/rows/features/sqlsteps/sql_function_details.sql
create or replace view tasker.sql_function_details as
select
  ''::text as namespace,
  null::text as function,
  null::text as role,
  0::bigint as templates,
  null::text as problem
where false;

comment on view tasker.sql_function_details is
  'Row type: a function that steps of a namespace name, and the role that it runs as.';
comment on column tasker.sql_function_details.function is
  'The name of the function. Null if the namespace has a bound role but its templates name no function.';
comment on column tasker.sql_function_details.templates is
  'The number of template versions that name the function and are not retired.';
comment on column tasker.sql_function_details.problem is
  'The reason why the function''s steps cannot run. Null if no obstacle is known.';
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_function_of.sql
create or replace function tasker.sql_function_of(p_handler text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case when starts_with(p_handler, 'sql:') then substr(p_handler, 5) end;
end;

comment on function tasker.sql_function_of is
$$Returns the function that a step with this handler calls, such as shop.book_order, or null if a worker runs the step.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/handler_in_words.sql
create or replace function tasker.handler_in_words(p_handler text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce('SQL function ' || tasker.sql_function_of(p_handler), 'Handler ' || p_handler);
end;

comment on function tasker.handler_in_words is
$$Returns the beginning of a sentence that names what runs the steps with this handler, for example "Handler ship" or "SQL function shop.reserve".$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_function_problem.sql
create or replace function tasker.sql_function_problem(p_namespace text, p_function text, p_caller name default null)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role     oid := (select r.role from tasker.sql_roles as r where r.namespace = p_namespace);
  v_function record;
begin
  if v_role is null then
    return array[
      'TK422', format('no role is bound for the SQL steps of namespace "%s"', p_namespace),
      'An operator binds one: select tasker.bind_sql_role(namespace, role).'
    ];
  end if;

  -- Read the catalog, because a cast to regprocedure would need a right on the schema.
  select p.oid, n.oid as schema, p.prorettype, p.prokind, p.proretset
    into v_function
    from pg_namespace as n
    join pg_proc as p
      on p.pronamespace = n.oid
     and p.proname = split_part(p_function, '.', 2)
     and p.proargtypes::text = 'jsonb'::regtype::oid::text
   where n.nspname = split_part(p_function, '.', 1);
  if not found then
    return array[
      'TK422', format('function %s(jsonb) does not exist', p_function),
      'A step calls a function with one argument of type jsonb that returns jsonb.'
    ];
  elsif (v_function.prorettype, v_function.prokind::text, v_function.proretset) <> ('jsonb'::regtype::oid, 'f', false) then
    return array[
      'TK422', format('function %s(jsonb) does not return one jsonb', p_function), 'Its result is the result of the step.'
    ];
  elsif not exists (select from pg_roles as r where r.oid = v_role) then
    return array[
      'TK422', format('the role that is bound for the SQL steps of namespace "%s" does not exist', p_namespace),
      'Bind another: select tasker.bind_sql_role(namespace, role).'
    ];
  elsif not (has_schema_privilege(v_role, v_function.schema, 'usage') and has_function_privilege(v_role, v_function.oid, 'execute')) then
    return array[
      'TK403', format('role "%s", which the SQL steps of namespace "%s" run as, may not execute %s(jsonb)', pg_get_userbyid(v_role), p_namespace, p_function),
      'Grant it usage on the schema and execute on the function.'
    ];
  elsif not (has_schema_privilege(p_caller, v_function.schema, 'usage') and has_function_privilege(p_caller, v_function.oid, 'execute')) then
    return array[
      'TK403', format('role "%s" may not execute %s(jsonb)', p_caller, p_function),
      'A step can name only a function that the role which registers it may call itself.'
    ];
  end if;
  return null;
end;
$$;

comment on function tasker.sql_function_problem is
$$Returns the reason why steps of this namespace cannot call this function, as code, message and hint, or null if they can. With p_caller, also checks whether that role may execute the function.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/check_sql_functions.sql
create or replace function tasker.check_sql_functions(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name    text;
  v_call    text;
  v_problem text[];
begin
  for v_name, v_call in
    select s.value ->> 'name', c.call
      from jsonb_array_elements(p_steps) as s (value)
     cross join lateral (
       values (s.value ->> 'sql'), (tasker.sql_function_of(s.value ->> 'compensate'))
     ) as c (call)
     where c.call is not null
  loop
    v_problem := tasker.sql_function_problem(p_namespace, v_call, tasker.caller_name()::name);
    if v_problem[1] = 'TK403' then
      raise exception using
        errcode = 'TK403',
        message = format('step "%s": %s', v_name, v_problem[2]),
        hint    = v_problem[3];
    elsif v_problem is not null then
      raise exception using
        errcode = 'TK422',
        message = format('step "%s": %s', v_name, v_problem[2]),
        hint    = v_problem[3];
    end if;
  end loop;
end;
$$;

comment on function tasker.check_sql_functions is
$$Checks the functions that these steps in normal form name. Raises TK422 if the namespace has no bound role, a function does not exist, or it does not return jsonb. Raises TK403 if the bound role or the caller may not execute a function.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/intact_sql_roles.sql
create or replace function tasker.intact_sql_roles()
  returns text[]
  language plpgsql
  stable
as $$
begin
  -- The function is in plpgsql, because the session then keeps the plan. A function in SQL would be planned again in each
  -- call.
  return array(
    select r.namespace
      from tasker.sql_roles as r
      join pg_proc as p
        on p.pronamespace = (select n.oid from pg_namespace as n where n.nspname = 'tasker_sql')
       and p.proname = r.namespace
       and p.prosecdef
       and p.proowner = r.role
       and p.proconfig = '{"search_path=pg_catalog, pg_temp"}'
  );
end;
$$;

comment on function tasker.intact_sql_roles is
$$Returns the namespaces whose function in the schema tasker_sql is unchanged since tasker.bind_sql_role created it, and belongs to the bound role.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/check_sql_transport.sql
create or replace function tasker.check_sql_transport(p_namespace text)
  returns void
  language plpgsql
as $$
begin
  if exists (select from tasker.task_namespaces as n where n.name = p_namespace and n.transport = 'broker')
     and exists (select from tasker.sql_roles as r where r.namespace = p_namespace) then
    raise exception using
      errcode = 'TK409',
      message = format('a broker cannot carry the steps of namespace "%s" while a role is bound for its SQL steps', p_namespace),
      hint    = 'SQL steps are claimed from the queue: use another namespace for them, or call tasker.unbind_sql_role first.';
  end if;
end;
$$;

comment on function tasker.check_sql_transport is
$$Raises TK409 if a namespace has both the transport "broker" and a role for SQL steps, because SQL steps are claimed from the queue. The caller has changed the transport or the role, and holds the namespace's row.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_namespaces.sql
create or replace function tasker.sql_namespaces(p_namespaces text[])
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    perform tasker.check_bound_namespaces(p_namespaces);
    v_bound := tasker.bound_namespaces();
  end if;
  return array(
    select r.namespace
      from tasker.sql_roles as r
      -- Functions of pgtasker that a step calls run with the rights of the caller. So the caller must not have rights in
      -- namespaces to which the role is not bound.
     cross join lateral (select tasker.role_namespaces(r.role) as namespaces) as b
     where r.namespace = any (tasker.intact_sql_roles())
       and (p_namespaces is null or r.namespace = any (p_namespaces))
       and (v_bound is null or r.namespace = any (v_bound))
       and (b.namespaces is null or v_bound <@ b.namespaces)
     order by r.namespace
  );
end;
$$;

comment on function tasker.sql_namespaces is
$$Returns the namespaces among p_namespaces (null: all namespaces) whose SQL steps the caller may run. Such a namespace has a bound role for its SQL steps. If that role is itself bound to namespaces, the caller must be bound to no other namespaces.

Raises TK404 if a namespace does not exist, TK403 if the caller is bound to other namespaces.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/bind_sql_role.sql
create or replace function tasker.bind_sql_role(
  p_namespace  text,
  p_role_name  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid  := to_regrole(quote_ident(left(p_role_name, 64)));
  v_set     text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
  v_problem text;
  v_before  oid;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it for the SQL steps of this namespace, with the rights that they need and no others.';
  end if;

  v_problem := case
    when tasker.sql_role_problem(v_role) is not null then tasker.sql_role_problem(v_role)
    when tasker.bound_namespaces() is not null and not pg_has_role(tasker.caller_name()::name, v_role, v_set)
      then 'is none that the caller, who is bound to namespaces, may act as'
    when not pg_has_role('tasker_owner', v_role, v_set) then 'has not been granted to tasker_owner'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK403',
      message = format('SQL steps cannot run as role "%s": it %s', p_role_name, v_problem),
      hint    = case
        when v_problem like 'has not%' then format('A role that may grant it agrees by: grant %I to tasker_owner;', p_role_name)
        else 'Create a role of its own for them.'
      end;
  end if;

  perform tasker.take_turn('role_bindings');
  select r.role into v_before from tasker.sql_roles as r where r.namespace = p_namespace;
  insert into tasker.sql_roles as r (namespace, role)
  values (p_namespace, v_role)
  on conflict (namespace) do update
     set role     = excluded.role,
         bound_at = excluded.bound_at,
         bound_by = excluded.bound_by
   where r.role <> excluded.role;
  -- The lock keeps the namespace's transport unchanged until this transaction ends. After that, the bound role prevents a
  -- transport that cannot carry SQL steps.
  perform from tasker.task_namespaces as n where n.name = p_namespace for share;
  perform tasker.check_sql_transport(p_namespace);

  -- PostgreSQL refuses SET ROLE inside security definer functions. So the call stands in a function of its own, which
  -- belongs to the role and is itself a security definer function. Every role may execute this function, because only
  -- tasker_owner may use its schema.
  if exists (select from pg_proc as p where p.pronamespace = 'tasker_sql'::regnamespace and p.proname = p_namespace) then
    execute format('drop function tasker_sql.%I(text, jsonb)', p_namespace);
  end if;
  execute format(
    $function$
    create function tasker_sql.%I(p_call text, p_input jsonb)
      returns jsonb
      language plpgsql
      security definer
      set search_path = pg_catalog, pg_temp
    as $body$
    declare
      v_result jsonb;
    begin
      execute p_call into v_result using p_input;
      return v_result;
    end;
    $body$
    $function$, p_namespace
  );
  execute format('comment on function tasker_sql.%I is %L', p_namespace, format('Calls the functions of SQL steps of namespace "%s".', p_namespace));
  execute format('grant execute on function tasker_sql.%I to public', p_namespace);
  execute format('grant create on schema tasker_sql to %s', v_role::regrole);
  execute format('alter function tasker_sql.%I(text, jsonb) owner to %s', p_namespace, v_role::regrole);
  execute format('revoke create on schema tasker_sql from %s', v_role::regrole);
  return v_before is distinct from v_role;
end;
$$;

comment on function tasker.bind_sql_role is
$$Binds the role that the SQL steps of a namespace run as. Creates a function in the schema tasker_sql that belongs to this role and calls the functions of the steps. Returns true if another role or no role was bound before.

The role must be granted to tasker_owner; with this grant the role's administrator agrees. The role must not be a superuser, a member of tasker_owner or one of pgtasker's groups, and must not have rights over the server or over tables of other roles. A caller that is bound to namespaces can bind only a role that the caller may act as. Idempotent. Locks the row "role_bindings" of tasker.turns, so that calls run one at a time, then the namespace's row for share. Raises TK404 if there is no such namespace or role, TK403 if SQL steps cannot run as the role or if the caller is bound to other namespaces, TK409 if a broker carries the steps of the namespace or another call does not end in time.$$;

grant execute on function tasker.bind_sql_role to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/unbind_sql_role.sql
create or replace function tasker.unbind_sql_role(
  p_namespace  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.take_turn('role_bindings');
  delete from tasker.sql_roles as r where r.namespace = p_namespace;
  if not found then
    return false;
  end if;
  if exists (select from pg_proc as p where p.pronamespace = 'tasker_sql'::regnamespace and p.proname = p_namespace) then
    execute format('drop function tasker_sql.%I(text, jsonb)', p_namespace);
  end if;
  return true;
end;
$$;

comment on function tasker.unbind_sql_role is
$$Unbinds the role of a namespace's SQL steps. The steps stay in the queue until a role is bound again, and templates that name functions are refused. Returns false if no role was bound.

Idempotent. Locks the row "role_bindings" of tasker.turns, so that calls run one at a time. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces, TK409 if another call does not end in time.$$;

grant execute on function tasker.unbind_sql_role to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_role_problem.sql
create or replace function tasker.sql_role_problem(p_role oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role  record;
  v_other text;
begin
  select r.rolname::text as name, r.rolsuper, r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls as strong
    into v_role
    from pg_roles as r
   where r.oid = p_role;
  if not found then
    return null;
  elsif v_role.rolsuper then
    return 'is a superuser';
  elsif pg_has_role(p_role, 'tasker_owner', 'member') then
    return 'is tasker_owner or its member';
  elsif v_role.name = any ('{tasker_submitter,tasker_worker,tasker_orchestrator,tasker_operator,tasker_reader,tasker_server}')
     or v_role.name = any ('{tasklib_submitter,tasklib_worker,tasklib_operator,tasklib_reader}') then
    return 'is one of pgtasker''s groups, whose members would share the rights of the functions';
  elsif v_role.strong then
    return 'has rights over the whole server: createrole, createdb, replication or bypassrls';
  end if;

  -- Count all roles that the role is a member of, even if it does not inherit their rights, because a later grant may
  -- change this.
  select r.rolname
    into v_other
    from pg_roles as r
   where pg_has_role(p_role, r.oid, 'member')
     and (
       r.rolsuper
       or r.rolname in (
         'pg_read_all_data', 'pg_write_all_data', 'pg_maintain', 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files',
         'pg_create_subscription', 'pg_signal_backend'
       )
     )
   order by r.rolname
   limit 1;
  return format('has the rights of "%s", which reach beyond its own tables', v_other) where v_other is not null;
end;
$$;

comment on function tasker.sql_role_problem is
$$Returns the reason why SQL steps must not run as this role, as the rest of a sentence about the role. Returns null if SQL steps may run as this role, or if the role does not exist.

The role may be a member of pgtasker's groups, for example so that its functions can create tasks. But the role must not be one of these groups itself, because then every member of the group would have the rights of the functions, and tasker_owner would be a member of the group.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/describe_sql_functions.sql
create or replace function tasker.describe_sql_functions(p_namespaces text[])
  returns setof tasker.sql_function_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with named as (
    select n.name as namespace, tasker.sql_function_of(h.name) as function, count(distinct k.named_task_uuid) as templates
      from tasker.named_steps as h
      join tasker.named_tasks_named_steps as s
        on h.named_step_uuid in (s.named_step_uuid, s.compensate_uuid)
      join tasker.named_tasks as k
        on k.named_task_uuid = s.named_task_uuid
       and k.retired_at is null
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where starts_with(h.name, 'sql:')
       and (p_namespaces is null or n.name = any (p_namespaces))
     group by 1, 2
    union all
    select r.namespace, null, 0
      from tasker.sql_roles as r
     where p_namespaces is null or r.namespace = any (p_namespaces)
  )
  select
    f.namespace, f.function, pg_get_userbyid(r.role)::text, f.templates,
    coalesce(
      -- This problem arises if the role was granted further rights after it was bound.
      'role "' || pg_get_userbyid(r.role)::text || '" ' || tasker.sql_role_problem(r.role) || ': bind another',
      case when f.function is not null then (tasker.sql_function_problem(f.namespace, f.function))[2] end,
      case when r.role is not null and f.namespace <> all (tasker.intact_sql_roles()) then
        'the function of schema tasker_sql that bind_sql_role made is gone or changed: bind the role again'
      end
    )
  from named as f
  left join tasker.sql_roles as r
    on r.namespace = f.namespace
  where f.function is not null
     or not exists (select from named as o where o.namespace = f.namespace and o.function is not null)
  order by f.namespace, f.function;
end;
$$;

comment on function tasker.describe_sql_functions is
$$Returns the SQL functions that templates of these namespaces (null: all namespaces) name, in the form of tasker.list_sql_functions.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/list_sql_functions.sql
create or replace function tasker.list_sql_functions(p_namespace text default null)
  returns setof tasker.sql_function_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select f.* from tasker.describe_sql_functions(case when p_namespace is null then tasker.bound_namespaces() else array[p_namespace] end) as f;
end;
$$;

comment on function tasker.list_sql_functions is
$$Returns the SQL functions that the templates of a namespace, or of all namespaces, name in their steps. Each row has the role that the function runs as, and the reason if its steps cannot run: no role is bound, the function no longer exists or returns another type, or the role lacks rights. A bound caller sees its namespaces only.

Reads the templates that are not retired, and the catalog. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_sql_functions
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/explain_sql.sql
create or replace function tasker.explain_sql(
  p_namespace  text,
  p_handler    text,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_state      tasker.step_state
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_function text := tasker.sql_function_of(p_handler);
  v_problem  text;
  v_attempt  tasker.sql_attempts;
begin
  if v_function is null then
    return null;
  end if;
  v_problem := (tasker.sql_function_problem(p_namespace, v_function))[2];
  if v_problem is null and p_namespace <> all (tasker.intact_sql_roles()) then
    v_problem := 'the function of schema tasker_sql that calls it is gone or changed';
  end if;
  if p_state = 'in_progress' then
    select a.* into v_attempt from tasker.sql_attempts as a where a.task_uuid = p_task_uuid and a.step_no = p_step_no;
  end if;
  return concat_ws(
    ' ',
    format(' It calls %s', v_function)
      || coalesce(' as role "' || (select r.role::text from tasker.sql_roles as r where r.namespace = p_namespace) || '"', '') || '.',
    'It cannot: ' || v_problem || '.',
    case when v_attempt.task_uuid is not null then 'It waits for a call of its own.' end,
    case when v_attempt.conflicts > 0 then format('Its call ended in a conflict %s times.', v_attempt.conflicts) end
  );
end;
$$;

comment on function tasker.explain_sql is
$$Returns sentences about the SQL function that a step calls: its role and, if it cannot be called, the reason. Returns null for other steps.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/setting_names.sql
create or replace function tasker.setting_names()
  returns text[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text := current_setting('tasker.setting_names', true);
begin
  -- Reading pg_settings takes a millisecond, so read it only once in a session.
  if coalesce(v_names, '') = '' then
    select string_agg(s.name, ',' order by s.name)
      into v_names
      from pg_settings as s
     where s.context = 'user'
       and s.name not in ('role', 'session_authorization', 'seed', 'transaction_deferrable', 'transaction_isolation', 'transaction_read_only');
    perform set_config('tasker.setting_names', v_names, false);
  end if;
  return string_to_array(v_names, ',') || '{tasker.namespaces,tasker.token,tasker.signed_in_at,tasker.act,tasker.opened_limits,tasker.setting_names}'::text[];
end;
$$;

comment on function tasker.setting_names is
$$Returns the names of the settings that every session may change, and of pgtasker's own settings.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/session_settings.sql
-- The function does not pin search_path and uses "begin atomic" instead, so that it reads the settings of the
-- caller's session.
create or replace function tasker.session_settings()
  returns text[]
  language sql
begin atomic
  select array(
    select n.name || '=' || coalesce(current_setting(n.name, true), '')
      from unnest(tasker.setting_names()) as n (name)
  );
end;

comment on function tasker.session_settings is
$$Returns the settings of the session that tasker.restore_settings restores, each as name=value.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/own_settings.sql
create or replace function tasker.own_settings(p_session text[])
  returns text[]
  language sql
  immutable
begin atomic
  select array(
    select s.setting
      from unnest(p_session) as s (setting)
     where starts_with(s.setting, 'tasker.')
       and s.setting not like '%='
       -- Only pgtasker itself reads this setting. To set it again for each step would take as long as the call of the
       -- step's function.
       and not starts_with(s.setting, 'tasker.setting_names=')
  );
end;

comment on function tasker.own_settings is
$$Returns the settings from tasker.session_settings that the functions of steps may see: the settings of pgtasker that have a value.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/restore_settings.sql
create or replace function tasker.restore_settings(p_settings text[])
  returns void
  language plpgsql
as $$
begin
  -- This also resets settings with names that the function made up, which no catalog lists.
  reset all;
  perform set_config(s.name, s.value, false)
     from (
       select split_part(u.setting, '=', 1) as name, substr(u.setting, strpos(u.setting, '=') + 1) as value
         from unnest(p_settings) as u (setting)
     ) as s
    where coalesce(current_setting(s.name, true), '') <> s.value;
end;
$$;

comment on function tasker.restore_settings is
$$Resets all settings of the session, then restores the settings that tasker.session_settings has returned. So every setting that a function made ends, even if it was made for the whole transaction.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/is_permanent.sql
create or replace function tasker.is_permanent(p_code text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_code in ('TK403', 'TK404', 'TK410', 'TK413', 'TK422') or starts_with(p_code, '22');
end;

comment on function tasker.is_permanent is
$$Returns whether a step whose function raises this SQLSTATE fails for good: the refusals TK403, TK404, TK410, TK413 and TK422, and PostgreSQL's class 22 (data exceptions). After any other error the step's retry policy decides.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/is_conflict.sql
create or replace function tasker.is_conflict(p_code text, p_conflicts integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_code in ('40001', '40P01', '55P03') and p_conflicts < 10;
end;

comment on function tasker.is_conflict is
$$Returns whether a call that ended with this SQLSTATE is repeated without counting as an attempt. Conflicts are a serialization failure, a deadlock and a lock that was not free. At most ten successive conflicts are not counted.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/call_sql_step.sql
create or replace function tasker.call_sql_step(p_step tasker.claimed_steps, p_settings tasker.settings_now, p_own text[])
  returns jsonb
  language plpgsql
as $$
declare
  v_result jsonb;
begin
  if p_own = '{}' then
    reset all;
  else
    perform tasker.restore_settings(p_own);
  end if;
  execute format('select tasker_sql.%I($1, $2)', p_step.namespace)
     into v_result
    using
      format('select %s($1)', tasker.sql_function_of(p_step.handler)),
      jsonb_build_object(
        'namespace', p_step.namespace, 'task', p_step.task_name, 'version', p_step.task_version, 'task_uuid', p_step.task_uuid,
        'step', p_step.name, 'step_uuid', p_step.step_uuid, 'attempt', p_step.attempt, 'correlation_id', p_step.correlation_id,
        'headers', p_step.headers, 'context', p_step.context, 'inputs', p_step.inputs, 'parents', p_step.parent_results
      );
  -- Check deferred constraints now. Otherwise a violation would fail at the commit, together with the other steps of the
  -- call.
  set constraints all immediate;
  if p_own = '{}' then
    reset all;
  else
    perform tasker.restore_settings(p_own);
  end if;
  perform
    set_config('search_path', 'pg_catalog, pg_temp', false), set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), set_config('enable_seqscan', 'off', false),
    set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false);

  v_result := coalesce(v_result, 'null');
  if octet_length(v_result::text) > p_settings.result_bytes or tasker.is_too_deep(v_result) then
    raise exception using
      errcode = 'TK413',
      message = format('the result of %s has %s bytes', tasker.sql_function_of(p_step.handler), octet_length(v_result::text)),
      detail  = format('At most %s bytes and 1000 levels are stored.', p_settings.result_bytes),
      hint    = 'Store the data in a table and return its key.';
  end if;
  return v_result;
end;
$$;

comment on function tasker.call_sql_step is
$$Calls the function of a claimed step as the role that is bound for its namespace, and returns its result. The function runs with the settings of a new session, and settings that it makes end with it. The engine's settings are restored afterwards.

The caller has opened a subtransaction. The caller records the result in the same transaction, or rolls the subtransaction
back. Raises the errors of the function, and TK413 for a result that is too large.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_result.sql
create or replace function tasker.sql_result(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_result     jsonb,
  p_code       text,
  p_message    text,
  p_since      timestamptz
)
  returns tasker.step_results
  language sql
begin atomic
  select row(
    p_step_uuid, p_claim_no, case when p_code is null then p_result end,
    case when p_code is not null then left(format('%s: %s', p_code, p_message), 65536) end,
    case when p_code is not null then tasker.is_permanent(p_code) end, null::double precision,
    least(extract(epoch from clock_timestamp() - p_since) * 1000, 999999999)::bigint
  )::tasker.step_results;
end;

comment on function tasker.sql_result is
$$Returns the outcome of a SQL step's call in the form in which a worker reports it: the result, or the SQLSTATE and message of the error.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_slot_is_lost.sql
create or replace function tasker.sql_slot_is_lost(p_slot tasker.sql_slots)
  returns boolean
  language sql
begin atomic
  select coalesce(pg_sequence_last_value(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass), 0) <> p_slot.ran;
end;

comment on function tasker.sql_slot_is_lost is
$$Returns whether the last call in a slot left no record. The caller holds the slot.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/put_off_sql_step.sql
create or replace function tasker.put_off_sql_step(p_step tasker.claimed_steps, p_conflicts integer)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.sql_attempts as a (task_uuid, step_no, claim_no, namespace, timeout_seconds, conflicts)
  values (p_step.task_uuid, p_step.step_no, p_step.claim_no, p_step.namespace, p_step.timeout_seconds, p_conflicts)
  on conflict (task_uuid, step_no) do update
     set claim_no        = excluded.claim_no,
         timeout_seconds = excluded.timeout_seconds,
         conflicts       = excluded.conflicts,
         due_at          = excluded.due_at;
end;
$$;

comment on function tasker.put_off_sql_step is
$$Puts a claimed step off: writes its attempt, so that a later call runs the step alone. Replaces an attempt of the same step under an earlier claim.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/fill_sql_slots.sql
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
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/take_sql_slot.sql
create or replace function tasker.take_sql_slot(p_namespaces text[], p_timed boolean, p_slot_no integer default null)
  returns tasker.sql_slots
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_allowed bigint      := extract(epoch from current_setting('statement_timeout')::interval) * 1000;
  v_slot    tasker.sql_slots;
begin
  select s.*
    into v_slot
    from tasker.sql_attempts as a
    join tasker.sql_slots as s
      on s.slot_no = a.slot_no
   where a.namespace = any (p_namespaces)
     and (p_slot_no is null or s.slot_no = p_slot_no)
     and a.due_at <= v_now
     -- Without p_timed the statement already runs, so it cannot be given a shorter time-out.
     and (p_timed or a.timeout_seconds is null or v_allowed between 1 and a.timeout_seconds::bigint * 1000)
   order by a.due_at
   limit 1
     for update of s skip locked;
  return v_slot;
end;
$$;

comment on function tasker.take_sql_slot is
$$Locks and returns the slot whose attempt has been due longest, or only the slot p_slot_no if it is given. Returns null if there is no such slot or it is locked. Without p_timed, skips attempts whose time-out is shorter than the statement_timeout.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/run_sql_attempt.sql
create or replace function tasker.run_sql_attempt(p_slot tasker.sql_slots, p_settings tasker.settings_now, p_own text[])
  returns tasker.step_answers
  language plpgsql
as $$
declare
  v_begun   timestamptz := clock_timestamp();
  v_attempt tasker.sql_attempts;
  v_uuid    uuid;
  v_move    tasker.step_moves;
  v_answers tasker.step_answers[];
  v_answer  tasker.step_answers;
  v_result  jsonb;
  v_run     bigint;
  v_code    text;
  v_error   text;
begin
  select a.* into v_attempt from tasker.sql_attempts as a where a.slot_no = p_slot.slot_no;
  v_uuid := tasker.step_uuid(v_attempt.task_uuid, v_attempt.step_no);
  v_move.task_uuid := v_attempt.task_uuid;
  v_move.step_no := v_attempt.step_no;
  if tasker.sql_slot_is_lost(p_slot) then
    v_code := '08006';
    v_error := 'the call of its function left no record: its session, its transaction or the server ended';
  end if;
  v_run := nextval(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass);

  if v_code is null and exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = v_attempt.task_uuid
       and s.step_no = v_attempt.step_no
       and s.state = 'in_progress'
       and s.claim_no = v_attempt.claim_no
  ) then
    begin
      v_result := tasker.call_sql_step(tasker.describe_claim(v_move, p_settings), p_settings, p_own);
      v_answers := tasker.record(array[tasker.sql_result(v_uuid, v_attempt.claim_no, v_result, null, null, v_begun)], p_settings);
      v_answer := v_answers[1];
      if v_answer.answer <> 'completed' then
        raise exception using
          errcode = 'TK409',
          message = format('the result of its function was answered %s', v_answer.answer),
          hint    = 'What the function wrote is rolled back.';
      end if;
    exception
      when query_canceled then
        -- If the time-out has not passed, an operator has cancelled the call.
        if v_attempt.timeout_seconds is null or clock_timestamp() < v_begun + make_interval(secs => v_attempt.timeout_seconds * 0.9) then
          raise;
        end if;
        v_code := sqlstate;
        v_error := format('its function ran for longer than %s seconds', v_attempt.timeout_seconds);
      when others or assert_failure then
        -- If another transaction holds the task, the function has not failed.
        v_code := case when v_answer.answer = 'busy' then '55P03' else sqlstate end;
        v_error := sqlerrm;
    end;
  end if;

  if tasker.is_conflict(v_code, v_attempt.conflicts) then
    update tasker.sql_attempts as a
       set conflicts = a.conflicts + 1,
           due_at    = tasker.write_clock() + make_interval(secs => 0.01 * 2 ^ a.conflicts * (0.5 + random()))
     where a.slot_no = p_slot.slot_no
       and a.claim_no = v_attempt.claim_no;
    v_answer := null;
  else
    if v_code is not null then
      v_answers := tasker.record(array[tasker.sql_result(v_uuid, v_attempt.claim_no, null, v_code, v_error, v_begun)], p_settings);
      v_answer := v_answers[1];
    end if;
    -- If another transaction holds the task, keep the attempt, so that a later call records the failure.
    if v_answer.answer is distinct from 'busy' then
      delete from tasker.sql_attempts as a where a.slot_no = p_slot.slot_no and a.claim_no = v_attempt.claim_no;
    end if;
  end if;
  update tasker.sql_slots as s set ran = v_run where s.slot_no = p_slot.slot_no;
  perform tasker.fill_sql_slots();
  return v_answer;
end;
$$;

comment on function tasker.run_sql_attempt is
$$Runs the attempt in a slot that the caller holds. Records either the result together with the function's writes, or only the failure. An attempt whose previous call left no record has failed. Returns the answer to the recorded result. Returns null if no result was recorded, because the call ended in a conflict that does not count, or the step has another claim.

To record the result, locks the step's task, and waits at most two seconds for this lock.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/enter_sql_worker.sql
create or replace function tasker.enter_sql_worker(p_slot_no integer, p_namespaces text[], p_handlers text[])
  returns uuid
  language plpgsql
as $$
declare
  v_worker uuid := md5(concat_ws(' ', 'sql', p_slot_no, session_user, tasker.set_role()))::uuid;
begin
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = v_worker
       and w.namespaces = p_namespaces
       and w.handlers = p_handlers
  ) then
    perform tasker.register_worker(v_worker, format('sql steps as %s#%s', session_user, p_slot_no), p_namespaces, p_handlers);
  end if;
  return v_worker;
end;
$$;

comment on function tasker.enter_sql_worker is
$$Returns the worker that claims in a slot for the caller's role, and registers the worker if it is not registered with these namespaces and handlers.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/run_sql_claims.sql
create or replace function tasker.run_sql_claims(
  p_steps     tasker.claimed_steps[],
  p_alone     boolean,
  p_end       timestamptz,
  p_settings  tasker.settings_now,
  p_own       text[]
)
  returns tasker.sql_runs
  language plpgsql
as $$
declare
  -- A call that holds steps must not wait for a task. So lock the tasks first; an operator's call then waits for the end
  -- of this call.
  v_locked  uuid[] := tasker.lock_tasks(array(select s.task_uuid from unnest(p_steps) as s));
  v_done    tasker.sql_runs;
  v_step    tasker.claimed_steps;
  v_begun   timestamptz;
  v_result  jsonb;
  v_code    text;
  v_error   text;
  v_results tasker.step_results[] := '{}';
begin
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  foreach v_step in array p_steps loop
    v_begun := clock_timestamp();
    if p_alone or v_step.attempt > 1 or v_step.lost_count > 0 or v_step.timeout_seconds is not null
       or v_step.task_uuid <> all (v_locked) or v_begun > p_end then
      perform tasker.put_off_sql_step(v_step, 0);
      v_done.put_off := v_done.put_off + 1;
      continue;
    end if;
    v_code := null;
    begin
      v_result := tasker.call_sql_step(v_step, p_settings, p_own);
    exception
      when others or assert_failure then
        v_code := sqlstate;
        v_error := sqlerrm;
    end;
    if tasker.is_conflict(v_code, 0) then
      perform tasker.put_off_sql_step(v_step, 1);
      v_done.put_off := v_done.put_off + 1;
    else
      v_results := v_results || tasker.sql_result(v_step.step_uuid, v_step.claim_no, v_result, v_code, v_error, v_begun);
      v_done.completed := v_done.completed + (v_code is null)::integer;
      v_done.failed := v_done.failed + (v_code is not null)::integer;
    end if;
  end loop;

  if cardinality(v_results) > 0 and exists (
    select from unnest(tasker.record(v_results, p_settings)) as a where a.answer not in ('completed', 'failed', 'retrying')
  ) then
    raise exception using
      errcode = 'TK409',
      message = 'a function has changed the state of its own step',
      hint    = 'Its result cannot be recorded. Let the function return, or raise an error.';
  end if;
  return v_done;
end;
$$;

comment on function tasker.run_sql_claims is
$$Runs steps that the caller has just claimed, each in a subtransaction, and records all results together. Puts off the steps that must run alone: steps with a time-out, steps that were tried before, steps whose task another transaction holds, and with p_alone all steps. Also puts off the steps that have not begun at p_end, so that a slow function does not delay the results of the other steps.

Locks tasks, without waiting. Raises TK409 if a result is refused, which happens only if a function changes its own task. The writes of all functions are then rolled back.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/run_sql_batch.sql
create or replace function tasker.run_sql_batch(
  p_limit       integer,
  p_namespaces  text[],
  p_slot        tasker.sql_slots,
  p_settings    tasker.settings_now,
  p_own         text[]
)
  returns tasker.sql_runs
  language plpgsql
as $$
declare
  v_end      timestamptz := clock_timestamp() + interval '1 second';
  v_handlers text[]      := array(select h.name from tasker.named_steps as h where starts_with(h.name, 'sql:') order by h.name);
  v_careful  boolean     := tasker.sql_slot_is_lost(p_slot);
  v_run      bigint      := nextval(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass);
  v_worker   uuid        := tasker.enter_sql_worker(p_slot.slot_no, p_namespaces, v_handlers);
  v_done     tasker.sql_runs;
  v_more     tasker.sql_runs;
  v_left     integer     := case when v_careful then least(p_limit, 10) else p_limit end;
  v_moves    tasker.step_moves[];
  v_steps    tasker.claimed_steps[];
begin
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  v_done.more := false;
  -- The loop also claims the SQL steps that become ready when a step of this call completes.
  while v_left > 0 and clock_timestamp() < v_end loop
    v_moves := tasker.claim(p_namespaces, v_worker, v_left, 86400, v_handlers, null, 0, null, p_settings);
    exit when v_moves = '{}';
    -- A separate statement is needed to see the rows that the claim has written.
    v_steps := array(select c from tasker.describe_claims(v_moves, p_settings) as c);
    begin
      v_more := tasker.run_sql_claims(v_steps, v_careful, v_end, p_settings, p_own);
    exception
      when sqlstate 'TK409' then
        v_more := tasker.run_sql_claims(v_steps, true, v_end, p_settings, p_own);
    end;
    v_done.completed := v_done.completed + v_more.completed;
    v_done.failed := v_done.failed + v_more.failed;
    v_done.put_off := v_done.put_off + v_more.put_off;
    v_left := v_left - cardinality(v_steps);
    exit when v_careful;
  end loop;

  update tasker.sql_slots as s set ran = v_run where s.slot_no = p_slot.slot_no;
  if v_done.put_off > 0 then
    perform tasker.fill_sql_slots();
  end if;
  v_done.more := v_done.completed + v_done.failed + v_done.put_off > 0;
  return v_done;
end;
$$;

comment on function tasker.run_sql_batch is
$$Claims at most p_limit SQL steps of these namespaces and runs them. Claim, call and result are committed together. If the last call in this slot left no record, this call runs no step, but puts at most ten steps off. Later calls then run each of these steps alone, so that a step which ends its session does not delay other steps.

The caller holds the slot. Locks queue rows, steps and tasks, without waiting.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/run_sql.sql
create or replace function tasker.run_sql(p_limit integer, p_namespaces text[], p_session text[])
  returns setof tasker.sql_runs
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_mark       text[] := string_to_array(nullif(current_setting('tasker.sql_step', true), ''), ' ');
  v_own        text[] := tasker.own_settings(p_session);
  v_namespaces text[];
  v_settings   tasker.settings_now;
  v_slot       tasker.sql_slots;
  v_done       tasker.sql_runs;
  v_answer     tasker.step_answers;
begin
  perform tasker.check_claim(gen_random_uuid(), p_limit, null);
  if tasker.token_name() is not null then
    raise exception using
      errcode = 'TK403',
      message = 'SQL steps are not run for a token or a person',
      hint    = 'Let pg_cron, tasker orchestrate or a worker run them.';
  end if;
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  v_done.more := false;
  v_namespaces := tasker.sql_namespaces(p_namespaces);
  if v_namespaces = '{}' or p_limit = 0 then
    return next v_done;
    return;
  end if;
  select c.* into v_settings from tasker.settings_now as c;
  -- A function gets its input without a limit of size, because the input is not sent over a connection.
  v_settings.claim_bytes := 1000000000;

  if v_mark is null then
    select s.*
      into v_slot
      from tasker.sql_slots as s
     where not s.alone
     order by s.slot_no
     limit 1
       for update skip locked;
    if found then
      v_done := tasker.run_sql_batch(
        -- If a constraint is initially deferred, run one step only: SET CONSTRAINTS after the first call lasts until the
        -- transaction ends, so a second function could not defer constraints.
        case when exists (select from pg_trigger as t where t.tginitdeferred) then 1 else p_limit end,
        v_namespaces, v_slot, v_settings, v_own
      );
    end if;
  end if;
  if not v_done.more then
    v_slot := tasker.take_sql_slot(v_namespaces, false, v_mark[1]::integer);
    if v_slot.slot_no is not null then
      v_answer := tasker.run_sql_attempt(v_slot, v_settings, v_own);
      v_done.completed := (v_answer.answer is not distinct from 'completed')::integer;
      v_done.failed := (coalesce(v_answer.answer in ('failed', 'retrying'), false))::integer;
      v_done.more := true;
    end if;
  end if;

  if v_done.more then
    perform tasker.restore_settings(
      case when v_mark is null then p_session else array_append(
        array(select u.setting from unnest(p_session) as u (setting) where not starts_with(u.setting, 'statement_timeout=')),
        'statement_timeout=' || v_mark[2]
      ) end
    );
  end if;
  return next v_done;
end;
$$;

comment on function tasker.run_sql is
$$Does the work of tasker.run_sql_steps. p_session has the settings of the caller's session, which are restored at the end.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/run_sql_steps.sql
-- The function does not pin search_path and uses "begin atomic" instead, because it must see the settings of
-- the caller's session.
create or replace function tasker.run_sql_steps(p_limit integer default 25, p_namespaces text[] default null)
  returns setof tasker.sql_runs
  language sql
  security definer
begin atomic
  select r.* from tasker.run_sql(coalesce(p_limit, 25), p_namespaces, tasker.session_settings()) as r;
end;

comment on function tasker.run_sql_steps is
$$Runs at most p_limit (null: 25) SQL steps of these namespaces (null: all namespaces with a bound role). Claims the steps, calls their functions and records the results in the caller's transaction. So the writes of a function exist exactly once for each completed step. Each step runs in a subtransaction: a failure rolls back the writes of its function, and is recorded with SQLSTATE and message. The functions run as the role that tasker.bind_sql_role has bound. Returns one row: how many steps completed, failed and were put off, and whether to call again at once.

Steps with a time-out, steps that were tried before, and all steps after a call that left no record are put off. The call records their attempt, and a later call runs one of these steps alone. If tasker.begin_sql_step was called before in the same transaction, the later call has the step's time-out. Otherwise the later call runs such a step only if the session's statement_timeout is not longer than the step's time-out.

Call the function in a transaction of its own, in READ COMMITTED. At most 8 sessions claim at once, and at most 16 sessions run a step alone. Afterwards the session has its former settings, except that settings which belong neither to PostgreSQL nor to pgtasker are reset. Locks a slot, then takes the locks of claim_steps, and skips locked tasks. If a step runs alone, the call waits at most two seconds for the lock of its task. Raises TK422 for a limit out of range, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.run_sql_steps to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/begin_sql_attempt.sql
create or replace function tasker.begin_sql_attempt(p_namespaces text[], p_timeout text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_slot    tasker.sql_slots;
  v_seconds integer;
begin
  perform tasker.refuse_recovery();
  perform set_config('tasker.sql_step', '', true);
  v_slot := tasker.take_sql_slot(tasker.sql_namespaces(p_namespaces), true);
  if v_slot.slot_no is null then
    perform tasker.fill_sql_slots();
    return false;
  end if;
  select a.timeout_seconds into v_seconds from tasker.sql_attempts as a where a.slot_no = v_slot.slot_no;
  perform set_config('tasker.sql_step', format('%s %s', v_slot.slot_no, replace(p_timeout, ' ', '')), true);
  if v_seconds is not null then
    perform set_config('statement_timeout', least(v_seconds::bigint * 1000, 2147483647)::text, true);
  end if;
  return true;
end;
$$;

comment on function tasker.begin_sql_attempt is
$$Does the work of tasker.begin_sql_step. p_timeout is the session's statement_timeout.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/begin_sql_step.sql
-- The function does not pin search_path and uses "begin atomic" instead, because it must see the caller's
-- statement_timeout.
create or replace function tasker.begin_sql_step(p_namespaces text[] default null)
  returns boolean
  language sql
  security definer
begin atomic
  select tasker.begin_sql_attempt(p_namespaces, current_setting('statement_timeout'));
end;

comment on function tasker.begin_sql_step is
$$Chooses a SQL step that must run alone in its call, from these namespaces (null: all namespaces with a bound role). Sets statement_timeout to the step's time-out until the transaction ends. Returns true if there is such a step. The next tasker.run_sql_steps of the same transaction runs this step.

The choice is a call of its own, because a statement's time-out must be set before the statement begins. Locks a slot, without waiting. Raises TK404 for an unknown namespace, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.begin_sql_step to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001230', 'data/sql_slots 9391b427d382c96f
functions/features/sqlsteps/begin_sql_step 3e2f6415d09eca6e
functions/features/sqlsteps/bind_sql_role ba91f15327f3ae34
functions/features/sqlsteps/list_sql_functions 6b317764b3107b0d
functions/features/sqlsteps/private/begin_sql_attempt 9a56a01fc9c14c72
functions/features/sqlsteps/private/call_sql_step a60f0f2d63d5319e
functions/features/sqlsteps/private/check_sql_functions ba7e9342f80cb7dc
functions/features/sqlsteps/private/check_sql_transport 577db6ed37d8e215
functions/features/sqlsteps/private/describe_sql_functions d7d32043b2c5dfe7
functions/features/sqlsteps/private/enter_sql_worker 79ed1f65d164eaf7
functions/features/sqlsteps/private/explain_sql 73633390ec650c76
functions/features/sqlsteps/private/fill_sql_slots 27169a00d6cf3ec2
functions/features/sqlsteps/private/handler_in_words 6a6aa9f491bf6864
functions/features/sqlsteps/private/intact_sql_roles 5ca409582589c695
functions/features/sqlsteps/private/is_conflict 4aa79d6ed731ee2d
functions/features/sqlsteps/private/is_permanent faa70e4109e1fb89
functions/features/sqlsteps/private/own_settings d7fe2e818076f3c7
functions/features/sqlsteps/private/put_off_sql_step 26cbf20ebc1e9d71
functions/features/sqlsteps/private/restore_settings e5ed73f9ec09abf6
functions/features/sqlsteps/private/run_sql 71e149a91464bc2e
functions/features/sqlsteps/private/run_sql_attempt 8eba89aaaefc4d81
functions/features/sqlsteps/private/run_sql_batch c5ddfaff90ac6b21
functions/features/sqlsteps/private/run_sql_claims d134d1347fc2ce6c
functions/features/sqlsteps/private/session_settings f97b291914321be2
functions/features/sqlsteps/private/setting_names ee107e42daa3f794
functions/features/sqlsteps/private/sql_function_of 15187218ecee5eb0
functions/features/sqlsteps/private/sql_function_problem 37a9773ff321c7d4
functions/features/sqlsteps/private/sql_namespaces 90f12ed660cfb29f
functions/features/sqlsteps/private/sql_result 3dbc2a13359bb670
functions/features/sqlsteps/private/sql_role_problem 3e33eca74d615de6
functions/features/sqlsteps/private/sql_slot_is_lost 8bf1605867d2ac33
functions/features/sqlsteps/private/take_sql_slot e8fa91c85916e503
functions/features/sqlsteps/run_sql_steps d00750707fe07f4d
functions/features/sqlsteps/unbind_sql_role 767f72e8b41b47ca
rows/features/sqlsteps/sql_function_details 7293d57d24860a48
rows/features/sqlsteps/sql_runs 2aaafa605c7cc6dd
tables/features/sqlsteps/sql_attempts 21bf9c8e117a2b10
tables/features/sqlsteps/sql_roles f5c1dbb3d3a1d727
tables/features/sqlsteps/sql_slots 557b8386c5b7b5f5
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001230';

drop function tasker.begin_sql_step;
drop function tasker.begin_sql_attempt;
drop function tasker.run_sql_steps;
drop function tasker.run_sql;
drop function tasker.run_sql_batch;
drop function tasker.run_sql_claims;
drop function tasker.enter_sql_worker;
drop function tasker.run_sql_attempt;
drop function tasker.take_sql_slot;
drop function tasker.fill_sql_slots;
drop function tasker.put_off_sql_step;
drop function tasker.sql_slot_is_lost;
drop function tasker.sql_result;
drop function tasker.call_sql_step;
drop function tasker.is_conflict;
drop function tasker.is_permanent;
drop function tasker.restore_settings;
drop function tasker.own_settings;
drop function tasker.session_settings;
drop function tasker.setting_names;
drop function tasker.explain_sql;
drop function tasker.list_sql_functions;
drop function tasker.describe_sql_functions;
drop function tasker.sql_role_problem;
drop function tasker.unbind_sql_role;
drop function tasker.bind_sql_role;
drop function tasker.sql_namespaces;
drop function tasker.check_sql_transport;
drop function tasker.intact_sql_roles;
drop function tasker.check_sql_functions;
drop function tasker.sql_function_problem;
drop function tasker.handler_in_words;
drop function tasker.sql_function_of;
drop view tasker.sql_function_details;
drop view tasker.sql_runs;
drop table tasker.sql_attempts;
drop sequence tasker.sql_slot_1, tasker.sql_slot_2, tasker.sql_slot_3, tasker.sql_slot_4, tasker.sql_slot_5, tasker.sql_slot_6, tasker.sql_slot_7, tasker.sql_slot_8, tasker.sql_slot_9, tasker.sql_slot_10, tasker.sql_slot_11, tasker.sql_slot_12, tasker.sql_slot_13, tasker.sql_slot_14, tasker.sql_slot_15, tasker.sql_slot_16, tasker.sql_slot_17, tasker.sql_slot_18, tasker.sql_slot_19, tasker.sql_slot_20, tasker.sql_slot_21, tasker.sql_slot_22, tasker.sql_slot_23, tasker.sql_slot_24;
drop table tasker.sql_slots;
drop table tasker.sql_roles;

reset role;
