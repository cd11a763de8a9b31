create or replace trigger task_identities_refuse_delete
  before delete on tasker.task_identities
  for each row execute function tasker.refuse_identity_delete();

comment on trigger task_identities_refuse_delete on tasker.task_identities is
  'Refuses, with TK403, to delete the identity of an existing task.';
