-- A role that is bound to namespace "shop" calls every granted function and view with objects of namespace "bank". Each
-- call must be refused or show nothing of "bank". The calls are built from the catalogue, so that new functions are tried,
-- too; each runs in a subtransaction. After that, a role without a binding makes the same calls in a session whose setting
-- tasker.namespaces names "shop".
begin;
select plan(11);

select tasker_test.freeze();
-- No restriction by the setting; each call below sets its own.
set local tasker.namespaces = '*';
select tasker.register_task_template('{"namespace": "shop", "name": "sale", "steps": [{"name": "a"}]}');
select tasker.register_task_template(
  '{"namespace": "bank", "name": "bankjob", "steps": [{"name": "bankstep"}, {"name": "bankend", "dependencies": ["bankstep"]}]}'
);
select tasker.ensure_task_queue('worker_bank_queue');
select tasker.ensure_task_queue('payroll');
select tasker.pgmq_send_with_notify('worker_bank_queue', '{"of": "bank"}');
select tasker.pgmq_send_with_notify('payroll', '{"of": "bank"}');
select c.task_uuid as task from tasker.create_task(
  'bank', 'bankjob', '{"secret": "bank"}', p_correlation_id => '01980000-0000-7000-8000-0000000000ba'
) as c \gset
select c.task_uuid as own from tasker.create_task('shop', 'sale', '{}') as c \gset
select tasker.register_worker('01980000-0000-7000-8000-00000000000b', 'bankworker', '{bank}');
select c.claim_no from tasker.claim_steps('{bank}', '01980000-0000-7000-8000-00000000000b') as c \gset
select from tasker.complete_steps(array[tasker.step_uuid(:'task', 1)], array[:claim_no], array['{"of": "bank"}']::jsonb[]);
select tasker.create_dlq_entry(:'task', 'manual_dlq', 'bank') as entry \gset
select s.selection_uuid as set from tasker.create_selection('tasks', '{"namespace": "bank"}') as s \gset
select tasker.start_mass_action(:'set', 'cancel', 1, 'test');
select tasker.pause_handler('bank', 'bankend');
select tasker.subscribe('bankfeed', '{"namespaces": ["bank"]}');
create role tap_shop;
grant tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader to tap_shop;
create role tap_login in role tap_shop;
select tasker.bind_role('tap_shop', '{shop}');

-- The values to call functions with, by the name of the argument. An argument that is missing here gets its default.
create temporary table arguments (name text primary key, value text not null);
insert into arguments (name, value) values
  ('p_task_uuid', quote_literal(:'task') || '::uuid'),
  ('p_task_uuids', format('array[%L]::uuid[]', :'task')),
  ('p_step_uuid', format('tasker.step_uuid(%L, 2)', :'task')),
  ('p_step_uuids', format('array[tasker.step_uuid(%L, 2)]', :'task')),
  ('p_from_step_uuid', format('tasker.step_uuid(%L, 1)', :'task')),
  ('p_to_step_uuid', format('tasker.step_uuid(%L, 2)', :'task')),
  ('p_selection_uuid', quote_literal(:'set') || '::uuid'),
  ('p_handler', '''bankend'''),
  ('p_namespace', '''bank'''),
  ('p_namespaces', '''{bank}'''),
  ('p_queue_name', '''worker_bank_queue'''),
  ('p_channels', '''{tasker_steps_ready.bank}'''),
  ('p_sleeper_uuid', 'gen_random_uuid()'),
  ('p_dlq_entry_uuid', quote_literal(:'entry') || '::uuid'),
  ('p_correlation_id', '''01980000-0000-7000-8000-0000000000ba'''),
  ('p_worker_uuid', '''01980000-0000-7000-8000-00000000000b'''),
  ('p_processor_uuid', 'gen_random_uuid()'),
  ('p_since', 'now() - interval ''1 hour'''),
  ('p_claim_no', '1'),
  ('p_claim_nos', '''{1}'''),
  ('p_errors', '''{no}'''),
  ('p_results', 'null'),
  ('p_steps', '''[{"name": "more"}]'''),
  ('p_contexts', 'array[''{}'']::jsonb[]'),
  ('p_backoff_seconds', 'null'),
  ('p_role_name', '''tap_shop'''),
  ('p_template', '''{"namespace": "bank", "name": "other", "steps": [{"name": "a"}]}'''),
  ('p_message', '''{}'''),
  ('p_messages', 'array[''{}'']::jsonb[]'),
  ('p_msg_ids', '''{1}'''),
  ('p_target_msg_id', '1'),
  ('p_resolution_status', '''cancelled'''),
  ('p_from_state', '''pending'''),
  ('p_to_state', '''cancelled'''),
  ('p_state', '''pending'''),
  ('p_current_state', '''pending'''),
  ('p_checkpoint', '''{}'''),
  ('p_value', 'null'),
  ('p_position', '1'),
  ('p_occurrence', '1'),
  ('p_wait', '''{"await": {"for": 60}}'''),
  ('p_version', '''1.0.0'''),
  ('p_subscription', '''bankfeed'''),
  ('p_reader_uuid', 'gen_random_uuid()'),
  ('p_place', '''1 0002f0a1b2c3d4e5 01980000-0000-7000-8000-0000000000ba 1 1'''),
  ('p_event_uuid', 'gen_random_uuid()'),
  ('p_event', '''{}'''),
  ('p_error', '''no'''),
  ('p_retry_seconds', '1'),
  ('p_short_id', quote_literal(substr(:'task', 25, 8))),
  ('p_identity_key', '''key''');
-- Arguments whose name means something else, or that need another kind of value.
create temporary table special (function text, argument text, value text not null, primary key (function, argument));
insert into special values
  ('register_namespace', 'p_name', '''bank'''),
  ('register_worker', 'p_name', '''bankworker'''),
  ('set_setting', 'p_name', '''notify'''),
  ('keep_step_result', 'p_name', '''a'''),
  ('keep_step_result', 'p_value', '''1'''),
  ('suspend_step', 'p_name', '''a'''),
  ('append_items', 'p_stream', '''log'''),
  ('append_items', 'p_items', '''[1]'''),
  ('append_items', 'p_batch_no', '1'),
  ('set_value', 'p_name', '''a'''),
  ('set_value', 'p_value', '''1'''),
  ('read_stream', 'p_stream', '''log'''),
  ('list_streams', 'p_name', 'null'),
  ('diverge_step', 'p_name', '''a'''),
  ('snooze_step', 'p_seconds', '1'),
  ('continue_step', 'p_state', '''{}'''),
  ('get_setting', 'p_name', '''notify'''),
  ('exchange', 'p_request', '''{"worker_uuid": "01980000-0000-7000-8000-00000000000b", "namespaces": ["bank"], "limit": 1}'''),
  ('exchange_or_sleep', 'p_request', '''{"worker_uuid": "01980000-0000-7000-8000-00000000000b", "namespaces": ["bank"], "limit": 1}'''),
  ('attend', 'p_request', '''{"worker_uuid": "01980000-0000-7000-8000-00000000000b", "name": "bankworker", "namespaces": ["bank"]}'''),
  ('get_task_result', 'p_steps', 'null'),
  ('set_step_backoff_atomic', 'p_backoff_seconds', '1'),
  ('fail_steps', 'p_backoff_seconds', 'null'),
  ('list_dlq_entries', 'p_resolution_status', 'null'),
  ('preview_selection', 'p_kind', '''tasks'''),
  ('preview_selection', 'p_filters', '''{"namespace": "bank"}'''),
  ('create_selection', 'p_kind', '''tasks'''),
  ('create_selection', 'p_filters', '''{"namespace": "bank"}'''),
  ('list_selection_entries', 'p_state', 'null'),
  ('list_mass_actions', 'p_state', 'null'),
  ('list_tasks', 'p_state', 'null'),
  ('reset_tasks', 'p_state', '''blocked_by_failures'''),
  ('reset_tasks', 'p_reason', '''tried'''),
  ('cancel_tasks', 'p_state', 'null'),
  ('cancel_tasks', 'p_reason', '''tried'''),
  ('retry_steps', 'p_state', '''error'''),
  ('retry_steps', 'p_reason', '''tried'''),
  ('erase_task', 'p_reason', '''tried'''),
  ('erase_tasks', 'p_reason', '''tried'''),
  ('requeue_dlq_entries', 'p_notes', '''tried'''),
  ('find_dlq_entries_by_short_id', 'p_short_id', quote_literal(substr(:'entry', 25, 8)));

-- Each function is called twice: with all arguments that name something, and only with those that have no default.
create temporary table calls as
  select p.proname || case when v.bare then ' (bare)' else '' end as function,
         format('tasker.%I(%s)', p.proname, (
           select string_agg(format('%I => %s', a.name, coalesce(s.value, g.value,
                    case when a.name = 'p_name' then '''bankjob''' when a.name = 'p_limit' then '100' else 'null' end)), ', ' order by a.no)
             from unnest(p.proargnames) with ordinality as a (name, no)
             left join arguments as g on g.name = a.name
             left join special as s on s.function = p.proname and s.argument = a.name
            where a.no <= p.pronargs
              and (not v.bare and (s.value is not null or g.value is not null) or a.no <= p.pronargs - p.pronargdefaults)
         )) as call,
         exists (
           select
             from unnest(p.proargnames) with ordinality as a (name, no)
            where a.name in ('p_task_uuid', 'p_task_uuids', 'p_step_uuid', 'p_step_uuids', 'p_from_step_uuid', 'p_queue_name',
                             'p_namespace', 'p_namespaces', 'p_channels', 'p_dlq_entry_uuid', 'p_template', 'p_subscription')
              and (not v.bare or a.no <= p.pronargs - p.pronargdefaults)
         ) as names_something
    from pg_proc as p
   cross join (values (false), (true)) as v (bare)
   where p.pronamespace = 'tasker'::regnamespace
     and p.prokind = 'f'
     and exists (
       select
         from aclexplode(p.proacl) as a
        where a.grantee::regrole::text in ('tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader')
     )
     -- Functions that only compute from their arguments, or show what is the same for every role.
     and p.proname not in (
       'is_task_uuid', 'step_no_of', 'step_uuid', 'task_uuid_of', 'transition_uuid', 'check_task_uuid',
       'extract_queue_namespace', 'validate_task_template', 'may_see_task', 'calculate_backoff_delay'
     );
create temporary table answers (function text primary key, answer text not null);

create function pg_temp.try(p_function text, p_call text, p_role text, p_scope text default '*')
  returns void
  language plpgsql
as $$
declare
  v_rows text;
begin
  -- An error carries the answer, so that the call is always undone.
  begin
    perform set_config('tasker.namespaces', p_scope, true);
    perform set_config('role', p_role, true);
    execute format('select coalesce(string_agg(r::text, chr(10)), '''') from %s as r', p_call) into v_rows;
    raise exception using errcode = 'TZ000', message = 'rows: ' || v_rows;
  exception when others then
    perform set_config('role', 'none', true);
    insert into answers values (p_function, case sqlstate when 'TZ000' then sqlerrm else sqlstate || ': ' || sqlerrm end);
  end;
end;
$$;

select count(pg_temp.try(c.function, c.call, 'tap_login')) > 100 as many from calls as c \gset
select ok(:'many', 'the functions of the catalogue are tried');
select is_empty(
  $$
  select a.function, left(a.answer, 200), c.call
    from answers as a
    join calls as c using (function)
   where c.names_something
     and (a.answer ~ '^TK40[34]') is not true
  $$,
  'a call that names an object of another namespace is refused'
);
select is_empty(
  $$
  select a.function, left(a.answer, 200), c.call
    from answers as a
    join calls as c using (function)
   where not c.names_something
     and ((a.answer ~ '^(rows|TK40[34]|TK422: (nothing says which tasks to erase|(tasks|steps) of a selection, or))') is not true or a.answer like 'rows:%' and a.answer ~ 'bank|payroll|01980000-0000-7000-8000-0000000000')
  $$,
  'a call that names nothing shows nothing of another namespace'
);
select set_eq(
  $$ select a.function from answers as a where a.answer ~ '^rows:.*(shop|sale)' and a.function in ('list_tasks (bare)', 'list_namespaces', 'list_task_templates (bare)', 'get_work_totals') $$,
  '{list_namespaces,list_task_templates (bare),list_tasks (bare),get_work_totals}'::text[],
  'lists and totals show the role''s own namespace'
);

-- The setting instead of a binding.
truncate answers;
select tasker.bind_role('tap_shop', null);
select count(pg_temp.try(c.function, c.call, 'tap_login', 'shop')) > 100 as many from calls as c \gset
select ok(:'many', 'the functions of the catalogue are tried under the setting');
select is_empty(
  $$
  select a.function, left(a.answer, 200), c.call
    from answers as a
    join calls as c using (function)
   where c.names_something
     and (a.answer ~ '^TK40[34]') is not true
  $$,
  'the setting refuses a call that names an object of another namespace'
);
select is_empty(
  $$
  select a.function, left(a.answer, 200), c.call
    from answers as a
    join calls as c using (function)
   where not c.names_something
     and ((a.answer ~ '^(rows|TK40[34]|TK422: (nothing says which tasks to erase|(tasks|steps) of a selection, or))') is not true or a.answer like 'rows:%' and a.answer ~ 'bank|payroll|01980000-0000-7000-8000-0000000000')
  $$,
  'the setting shows nothing of another namespace'
);
select tasker.bind_role('tap_shop', '{shop}');

-- Views.
truncate answers;
select count(pg_temp.try(c.oid::regclass::text, c.oid::regclass::text, 'tap_login')) as views
  from pg_class as c
 where c.relnamespace::regnamespace::text in ('tasker', 'tasker_compat')
   and c.relkind in ('v', 'm')
   and exists (select from aclexplode(c.relacl) as a where a.grantee <> c.relowner) \gset
select cmp_ok(:views, '>', 3, 'the views are tried');
select is_empty(
  format($$ select a.* from answers as a where (a.answer ~ '^rows') is not true or a.answer ~ 'bank|%s' $$, left(:'task', 23)),
  'the views show nothing of another namespace'
);
truncate answers;
select count(pg_temp.try(c.oid::regclass::text, c.oid::regclass::text, 'tasker_reader'))
  from pg_class as c where c.oid = 'tasker.task_transitions'::regclass \gset
select isnt_empty(
  format($$ select from answers as a where a.answer ~ '%s' $$, left(:'task', 23)), 'a role without a binding sees the other namespace'
);
select is_empty(
  $$
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasker_compat')
     and c.relkind = 'v'
     and exists (select from aclexplode(c.relacl) as a where a.grantee is distinct from c.relowner)
     and pg_get_viewdef(c.oid) ~ 'bound_namespaces'
     and not coalesce(c.reloptions @> '{security_barrier=true}', false)
  $$,
  'every view that filters by binding is a security barrier'
);

select * from finish();
rollback;
