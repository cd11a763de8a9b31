create or replace trigger stream_items_refuse_change
  before update or delete or truncate on tasker.stream_items
  for each statement execute function tasker.refuse_stream_change();

comment on trigger stream_items_refuse_change on tasker.stream_items is
  'Items never change, and only the engine deletes them. session_replication_role does not switch this trigger off.';

create or replace trigger step_streams_refuse_delete
  before delete or truncate on tasker.step_streams
  for each statement execute function tasker.refuse_stream_change();

comment on trigger step_streams_refuse_delete on tasker.step_streams is
  'Only the engine deletes streams. session_replication_role does not switch this trigger off.';
