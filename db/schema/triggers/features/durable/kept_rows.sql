create or replace trigger kept_results_refuse_change
  before update or delete or truncate on tasker.kept_results
  for each statement execute function tasker.refuse_kept_change();

comment on trigger kept_results_refuse_change on tasker.kept_results is
  'Only the engine deletes the kept results of a function. session_replication_role does not switch this trigger off.';
