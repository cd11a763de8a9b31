-- A function that an operator may call, and a worker, a submitter and a reader may not, and that changes something, has p_actor and p_reason.
-- The exceptions have one reason each. The bound of a list or of a batch is called p_limit.
begin;
select plan(4);

create temporary table exceptions (name text primary key, why text not null);
insert into exceptions (name, why)
select u.name, 'a duty of cron, of an orchestrator or of a relay: no person decides it'
  from unnest('{advance_task,analyze_parents,apply_retention,claim_task_for_finalization,detect_and_transition_stale_tasks,ensure_partitions,finalize_task_completion,gc_identities,gc_queue_archives,get_next_ready_task,get_next_ready_tasks,orchestrate,process_step_results,process_task_requests,publish_steps,rebuild_analytics,refresh_analytics,run_maintenance}'::text[]) as u (name)
union all
select u.name, 'the reader of a subscription calls it, a program'
  from unnest('{acknowledge_events,bury_event,fail_delivery,leave_subscription,read_events}'::text[]) as u (name)
union all
select u.name, 'p_notes are the reason: the name of the source documents, and of the column'
  from unnest('{requeue_dlq_entry,resolve_dlq_entry}'::text[]) as u (name)
union all
select u.name, 'the name and the arguments of the source documents: an orchestrator calls it'
  from unnest('{create_dlq_entry,transition_step_state_atomic,transition_task_state_atomic}'::text[]) as u (name)
union all
values
  ('create_selection', 'it changes no task: start_mass_action, which does, has both'),
  ('note_refused_program', 'a program calls it, when it is refused'),
  ('pgmq_ensure_headers_column', 'it changes the table of a queue of another extension, for an installation script');

create temporary table theirs as
select p.proname::text as name, p.proargnames[1:p.pronargs] as arguments, p.provolatile
  from pg_proc as p
 where p.pronamespace = 'tasker'::regnamespace
   and has_function_privilege('tasker_operator', p.oid, 'execute')
   and not has_function_privilege('tasker_worker', p.oid, 'execute')
   and not has_function_privilege('tasker_submitter', p.oid, 'execute')
   and not has_function_privilege('tasker_reader', p.oid, 'execute');

select is_empty(
  $$
  select t.name
    from theirs as t
   where t.provolatile = 'v'
     and not coalesce(t.arguments, '{}') @> '{p_actor,p_reason}'
     and not exists (select from exceptions as e where e.name = t.name)
  $$,
  'who does something says who and why'
);
select is_empty(
  $$
  select e.name
    from exceptions as e
   where not exists (
     select
       from theirs as t
      where t.name = e.name
        and t.provolatile = 'v'
        and not coalesce(t.arguments, '{}') @> '{p_actor,p_reason}'
   )
  $$,
  'each exception is one'
);
select is_empty(
  $$
  select t.name
    from theirs as t
   where t.name ~ '_dlq_entr(y|ies)$'
     and t.name not in ('create_dlq_entry')
     and t.provolatile = 'v'
     and (t.arguments @> '{p_actor,p_notes}') is not true
  $$,
  'who decides an investigation says who, and why in its notes'
);
select is_empty(
  $$
  select p.proname, a.name
    from pg_proc as p
   cross join lateral unnest(p.proargnames[1:p.pronargs]) as a (name)
   where p.pronamespace = 'tasker'::regnamespace
     and has_function_privilege('tasker_operator', p.oid, 'execute')
     and a.name in ('p_count', 'p_max', 'p_max_rows', 'p_max_steps', 'p_max_tasks', 'p_max_entries', 'p_batch_size', 'p_rows', 'p_page_size', 'p_top', 'p_qty')
  $$,
  'a bound is called p_limit'
);

select * from finish();
rollback;
