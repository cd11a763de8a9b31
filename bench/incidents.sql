-- Checks that list_incidents() and a turn of the duty read at most 15,000 buffers each, in a database with 1,000,000 finished
-- tasks and 100,000 failing tasks of 200 causes. "make bench-incidents" runs this file in a scratch database. -v
-- finished=100000 makes fewer finished tasks.
\set ON_ERROR_STOP 1
\set QUIET 1
\pset footer off
select :'finished'::bigint as finished \gset
set session_replication_role = replica;
set synchronous_commit = off;
alter table tasker.tasks drop constraint tasks_row_check;
alter table tasker.workflow_steps drop constraint workflow_steps_row_check;
insert into tasker.task_namespaces (name) select unnest(array['shop', 'billing', 'crm', 'logistics']);
insert into tasker.named_tasks (task_namespace_uuid, name, version, content_hash)
select n.task_namespace_uuid, t, '1.0.0', sha256(convert_to(n.name || t, 'UTF8'))
  from tasker.task_namespaces as n
 cross join unnest(array['order', 'invoice', 'refund', 'sync', 'report']) as t;
insert into tasker.named_steps (name) select 'h' || i from generate_series(1, 40) as i;
create table public.nt as select row_number() over (order by named_task_uuid) - 1 as n, named_task_uuid from tasker.named_tasks;
create table public.ns as select row_number() over (order by named_step_uuid) - 1 as n, named_step_uuid, name from tasker.named_steps;
create function public.tid(p_at timestamptz, p_no bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(p_no % 4096), 3, '0') || '8' || lpad(to_hex((p_no * 7919) % 268435456), 11, '0') || '0000')::uuid
$$;
create table public.load as
select i, i > :finished as bad, public.tid(now() - interval '2 hours' + i * interval '2 hours' / (:finished + 100000), i) as task_uuid,
       now() - interval '2 hours' + i * interval '2 hours' / (:finished + 100000) as at,
       case when i > :finished then case when i % 2 = 0 then 0 else i / 2 % 200 end end as cause
  from generate_series(1, :finished + 100000) as i;
insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, failed_steps, transition_count, requested_at, updated_at, started_at, completed_at, correlation_id)
select d.task_uuid, nt.named_task_uuid, (case when d.bad then 'blocked_by_failures' else 'complete' end)::tasker.task_state, not d.bad, 1, d.bad::integer, 5, d.at, d.at, d.at,
       case when not d.bad then d.at end, d.task_uuid
  from public.load as d join public.nt on nt.n = coalesce(d.cause, d.i) % 20;
insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, claim_no, attempts, transition_count, moved_at, created_at, processed_at, last_error)
select d.task_uuid, 1, tasker.step_uuid(d.task_uuid, 1), ns.named_step_uuid, 'charge', (case when d.bad then 'error' else 'complete' end)::tasker.step_state, 1, 1, 3, d.at, d.at,
       case when not d.bad then d.at end, case when d.bad then 'broken' end
  from public.load as d join public.ns on ns.n = coalesce(d.cause, d.i) % 40;
-- EnqueueForOrchestration, which failed or not.
insert into tasker.step_log (task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, metadata, created_at)
select d.task_uuid, 1, 3, case when d.bad then 1001 else 5 end, 1, 120,
       case when d.bad then jsonb_build_object('error', format('cause %s%s: order %s', chr((97 + d.cause / 26)::integer), chr((97 + d.cause % 26)::integer), d.i)) end, d.at
  from public.load as d;
insert into tasker.step_rollups (bucket, named_task_uuid, named_step_uuid, results, failures, timed, duration_ms, last_at, durations)
select date_trunc('minute', d.at, 'UTC'), nt.named_task_uuid, ns.named_step_uuid, count(*), count(*) filter (where d.bad), 0, 0, max(d.at), 0
  from public.load as d
  join public.nt on nt.n = coalesce(d.cause, d.i) % 20
  join public.ns on ns.n = coalesce(d.cause, d.i) % 40
 group by 1, 2, 3;
update tasker.rollup_state set settled_until = now(), rolled_up_until = now();
vacuum analyze tasker.tasks;
vacuum analyze tasker.workflow_steps;
vacuum analyze tasker.step_log;
set session_replication_role = origin;
\echo what note_failures reads in a turn, ms
\timing on
do $$ begin while tasker.note_failures(5000) = 5000 loop commit; end loop; end $$;
vacuum analyze tasker.error_steps;
vacuum analyze tasker.error_counts;
vacuum analyze tasker.error_hours;
vacuum analyze tasker.error_stands;
vacuum analyze tasker.error_causes;
select count(*) as causes from tasker.error_causes;
select tasker.judge_incidents() as open;
vacuum analyze tasker.incidents;
select tasker.judge_incidents() as open;
select count(*) as listed from tasker.list_incidents(p_limit => 1000);
\timing off
create temporary table answer (line text);
create function pg_temp.buffers(p_sql text) returns bigint language plpgsql as $$
declare
  v_plan jsonb;
begin
  execute 'explain (analyze, buffers, format json) ' || p_sql into v_plan;
  return (v_plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (v_plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
end;
$$;
select pg_temp.buffers('select * from tasker.measure_incidents()') > 0 as planned \gset
select pg_temp.buffers('select * from tasker.measure_incidents()') as buffers_of_a_measure,
       pg_temp.buffers('select tasker.judge_incidents()') as buffers_of_a_judgement,
       pg_temp.buffers('select * from tasker.list_incidents(p_limit => 1000)') as buffers_of_the_list \gset
select pg_temp.buffers('select tasker.note_failures(5000)') as buffers_of_a_reading \gset
\echo buffers of a reading :buffers_of_a_reading, of a measure :buffers_of_a_measure, of a judgement :buffers_of_a_judgement, of the list :buffers_of_the_list
select 1 / (:buffers_of_the_list <= 15000 and :buffers_of_a_measure <= 15000 and :buffers_of_a_judgement <= 15000)::integer as within \gset
