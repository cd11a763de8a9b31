-- A task walks through its states, each move one call of a SQL function. "make demo" runs this on a
-- scratch database.
\set SHOW_CONTEXT never
\set QUIET on
\pset footer off
\pset tuples_only off
set client_min_messages = warning;

\echo
\echo 'A task of four steps: top, then left and right, then bottom.'
select created as registered
  from tasker.register_task_template('{
    "namespace": "demo", "name": "diamond", "steps": [
      {"name": "top"},
      {"name": "left", "dependencies": ["top"]},
      {"name": "right", "dependencies": ["top"]},
      {"name": "bottom", "dependencies": ["left", "right"]}
    ]
  }');
select task_uuid as task from tasker.create_task('demo', 'diamond', p_deferred => true) \gset
select tasker.step_uuid(:'task', 1) as top, tasker.step_uuid(:'task', 2) as "left",
       tasker.step_uuid(:'task', 3) as "right", tasker.step_uuid(:'task', 4) as bottom \gset
select name, state, pending_parents as waits_for from tasker.workflow_steps where task_uuid = :'task' order by step_no;

\echo 'It is started, its first step enqueued, claimed and done:'
select tasker.transition_task_state_atomic(:'task', 'pending', 'initializing') as started \gset
select tasker.transition_task_state_atomic(:'task', 'initializing', 'enqueuing_steps') as enqueuing \gset
select tasker.transition_step_state_atomic(:'top', 'pending', 'enqueued') as enqueued \gset
select tasker.transition_task_state_atomic(:'task', 'enqueuing_steps', 'steps_in_process') as running \gset
select tasker.transition_step_state_atomic(:'top', 'enqueued', 'in_progress') as "won the step",
       tasker.transition_step_state_atomic(:'top', 'enqueued', 'in_progress') as "a second worker, too late";
select tasker.transition_step_state_atomic(:'top', 'in_progress', 'enqueued_for_orchestration', null,
  '{"results": {"answer": 42}, "execution_time_ms": 7}') as recorded \gset
select tasker.transition_step_state_atomic(:'top', 'enqueued_for_orchestration', 'complete') as done \gset

\echo 'Left and right no longer wait. Left fails once and is to be tried again; bottom cannot be hurried:'
select tasker.transition_step_state_atomic(:'left', 'pending', 'enqueued') as a,
       tasker.transition_step_state_atomic(:'left', 'enqueued', 'in_progress') as b,
       tasker.transition_step_state_atomic(:'left', 'in_progress', 'enqueued_as_error_for_orchestration', null,
         '{"error": "the other side hung up"}') as c,
       tasker.transition_step_state_atomic(:'left', 'enqueued_as_error_for_orchestration', 'waiting_for_retry') as d \gset
\set ON_ERROR_STOP off
select tasker.transition_step_state_atomic(:'bottom', 'pending', 'enqueued');
\set ON_ERROR_STOP on
select name, current_state as state, attempts, blocking_reason as "why not now",
       date_trunc('second', next_retry_at - tasker.clock()) as "retry in"
  from tasker.get_step_readiness_status(:'task');
select summary as "and in words" from tasker.explain_step(:'bottom');

\echo 'An operator calls it off, with everything that is open:'
select tasker.transition_task_state_atomic(:'task', 'steps_in_process', 'cancelled', null,
  '{"reason": "the customer changed his mind"}') as cancelled;
select sort_key as "#", from_state, event, to_state, reason, most_recent
  from tasker.task_transitions where task_uuid = :'task' order by sort_key;

\echo 'Every result left its audit row, and history cannot be rewritten:'
select tasker.step_no_of(workflow_step_uuid) as step, success, execution_time_ms as ms from tasker.step_result_audit
 where task_uuid = :'task' order by step;
\set ON_ERROR_STOP off
update tasker.task_transition_log set reason = 'nothing happened' where task_uuid = :'task';
