-- Every text, array and JSON argument of a function that writes is tried with two million characters or two hundred
-- thousand elements, beside valid arguments. The call must be refused.
begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_task_template(
  '{"namespace": "shop", "name": "sale", "identity_strategy": "caller_provided", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c"}]}'
);
select tasker.ensure_task_queue('worker_shop_queue');
select c.task_uuid as task from tasker.create_task('shop', 'sale', '{}', p_identity_key => 'first') as c \gset
select c.task_uuid as blocked from tasker.create_task('shop', 'sale', '{}', p_identity_key => 'second') as c \gset
select from tasker.claim_steps('{shop}', '01980000-0000-7000-8000-00000000000b', 1);
select s.claim_no from tasker.workflow_steps as s where s.task_uuid = :'task' and s.state = 'in_progress' \gset
select s.workflow_step_uuid as step from tasker.workflow_steps as s where s.state = 'in_progress' \gset
select tasker.create_dlq_entry(:'blocked', 'manual_dlq') as entry \gset

create temporary table arguments (name text primary key, value text not null);
insert into arguments (name, value) values
  ('p_task_uuid', quote_literal(:'task') || '::uuid'),
  ('p_step_uuid', quote_literal(:'step') || '::uuid'),
  ('p_step_uuids', format('array[%L]::uuid[]', :'step')),
  ('p_from_step_uuid', format('tasker.step_uuid(%L, 1)', :'task')),
  ('p_to_step_uuid', format('tasker.step_uuid(%L, 2)', :'task')),
  ('p_namespace', '''shop'''),
  ('p_queue_name', '''worker_shop_queue'''),
  ('p_dlq_entry_uuid', quote_literal(:'entry') || '::uuid'),
  ('p_worker_uuid', '''01980000-0000-7000-8000-00000000000b'''),
  ('p_processor_uuid', 'gen_random_uuid()'),
  ('p_claim_no', :'claim_no'),
  ('p_claim_nos', format('array[%s]', :'claim_no')),
  ('p_errors', '''{no}'''),
  ('p_steps', '''[{"name": "more"}]'''),
  ('p_contexts', 'array[''{}'']::jsonb[]'),
  ('p_identity_keys', '''{third}'''),
  ('p_identity_key', '''third'''),
  ('p_backoff_seconds', '1'),
  ('p_role_name', '''tasker_reader'''),
  ('p_template', '''{"namespace": "shop", "name": "other", "steps": [{"name": "a"}]}'''),
  ('p_message', '''{}'''),
  ('p_messages', 'array[''{}'']::jsonb[]'),
  ('p_resolution_status', '''cancelled'''),
  ('p_from_state', '''in_progress'''),
  ('p_to_state', '''cancelled'''),
  ('p_checkpoint', '''{}'''),
  ('p_value', 'null'),
  ('p_sleeper_uuid', 'gen_random_uuid()'),
  ('p_msg_ids', '''{1}'''),
  ('p_target_msg_id', '1'),
  ('p_version', '''1.0.0'''),
  ('p_results', 'null'),
  ('p_namespaces', 'null'),
  ('p_name', '''sale''');
create temporary table special (function text, argument text, value text not null, primary key (function, argument));
insert into special values
  ('set_setting', 'p_name', '''notify'''),
  ('register_namespace', 'p_name', '''shop'''),
  ('register_worker', 'p_name', '''worker'''),
  ('add_step_edge', 'p_name', '''edge'''),
  ('fail_steps', 'p_backoff_seconds', 'null'),
  ('exchange_steps', 'p_backoff_seconds', 'null'),
  ('exchange_steps', 'p_errors', 'null'),
  ('transition_task_state_atomic', 'p_from_state', '''steps_in_process'''),
  ('requeue_dlq_entry', 'p_dlq_entry_uuid', quote_literal(:'entry') || '::uuid');
-- Arguments that are only looked up or compared and never stored, and results that are answered one by one.
create temporary table exceptions (function text, argument text, reason text not null, primary key (function, argument));
insert into exceptions values
  ('claim_steps', 'p_handlers', 'Compared with handlers that are registered.'),
  ('exchange_steps', 'p_handlers', 'Compared with handlers that are registered.'),
  ('delete_schedule', 'p_namespace', 'Compared with existing schedules.'),
  ('delete_schedule', 'p_schedule', 'Compared with existing schedules.'),
  ('unsubscribe', 'p_subscription', 'Compared with existing subscriptions.'),
  ('mark_awake', 'p_channels', 'Compared with existing marks.'),
  ('open_writers', 'p_writers', 'Compared with the transactions that run.'),
  ('complete_steps', 'p_results', 'Each result has its own answer: too_large.'),
  ('exchange_steps', 'p_results', 'Each result has its own answer: too_large.');

create temporary table calls as
  select p.proname::text as function, x.name as argument,
         format('tasker.%I(%s)', p.proname, (
           select string_agg(format('%I => %s', a.name, case when a.name = x.name then x.huge else coalesce(s.value, g.value, 'null') end), ', ')
             from unnest(p.proargnames) with ordinality as a (name, no)
             left join arguments as g on g.name = a.name
             left join special as s on s.function = p.proname and s.argument = a.name
            where a.no <= p.pronargs
              and (a.name = x.name or a.no <= p.pronargs - p.pronargdefaults or s.value is null and g.value is not null and a.name like '%step\_uuid%')
         )) as call
    from pg_proc as p
   cross join lateral (
     select a.name, h.huge
       from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as a (name, type, no)
      cross join lateral (
        select h.huge
          from (values
            ('text'::regtype, 'repeat(''x'', 2000000)'),
            ('jsonb', 'jsonb_build_object(''reason'', repeat(''x'', 2000000))'),
            ('text[]', 'array[repeat(''x'', 2000000)]'),
            ('text[]', 'array_fill(''x''::text, array[200000])'),
            ('uuid[]', 'array_fill(gen_random_uuid(), array[200000])'),
            ('integer[]', 'array_fill(1, array[200000])'),
            ('bigint[]', 'array_fill(1::bigint, array[200000])'),
            ('boolean[]', 'array_fill(true, array[200000])'),
            ('jsonb[]', 'array[jsonb_build_object(''x'', repeat(''x'', 2000000))]'),
            ('jsonb[]', 'array_fill(''{}''::jsonb, array[200000])')
          ) as h (type, huge)
         where h.type = a.type
      ) as h
      where a.no <= p.pronargs
   ) as x
   where p.pronamespace = 'tasker'::regnamespace
     and p.provolatile = 'v'
     and exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner)
     and not exists (select from exceptions as e where e.function = p.proname and e.argument = x.name);
create temporary table answers (function text, argument text, call text, answer text not null, milliseconds numeric not null);

create function pg_temp.try(p_function text, p_argument text, p_call text)
  returns void
  language plpgsql
as $$
declare
  v_since timestamptz := clock_timestamp();
  v_answer text;
begin
  begin
    execute 'select from ' || p_call;
    raise exception using errcode = 'TZ000', message = 'taken';
  exception when others then
    v_answer := sqlstate || ': ' || left(sqlerrm, 5000) || case when octet_length(sqlerrm) > 2000 then ' (long)' else '' end;
  end;
  insert into answers
  values (p_function, p_argument, p_call, v_answer, extract(epoch from clock_timestamp() - v_since) * 1000);
end;
$$;

select count(pg_temp.try(c.function, c.argument, c.call)) > 60 as many from calls as c \gset
select ok(:'many', 'the arguments of the catalogue are tried');
select is_empty(
  $$ select a.function, a.argument, left(a.answer, 150), left(a.call, 250) from answers as a where (a.answer ~ '^TK4(04|09|13|22)') is not true $$,
  'every call is refused'
);
select is_empty(
  $$ select a.function, a.argument, left(a.answer, 150) from answers as a where length(a.answer) > 600 $$,
  'no message repeats the argument'
);

select * from finish();
rollback;
