create or replace function tasker.stage_pgmq()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := current_setting('role');
begin
  perform set_config('role', 'none', true);
  if tasker.pgmq_kind() = 'own' then
    alter schema pgmq rename to tasker_pgmq;
  else
    -- A dummy schema, which has only the types that the signatures of functions name.
    create schema tasker_pgmq authorization tasker_owner;
    perform set_config('role', 'tasker_owner', true);
    create type tasker_pgmq.message_record as (msg_id bigint);
    create type tasker_pgmq.queue_record as (queue_name varchar);
    create type tasker_pgmq.metrics_result as (queue_name text);
  end if;
  perform set_config('role', v_role, true);
  return tasker.pgmq_kind();
end;
$$;

comment on function tasker.stage_pgmq is
$$Renames pgtasker's pgmq back to tasker_pgmq, for a migration that changes one of its functions. Such a migration calls this function, replaces the function in tasker_pgmq, then calls tasker.settle_pgmq(). If another pgmq is in use, the schema is a dummy that tasker.settle_pgmq() drops again.

Locks no queue, but until the transaction ends no other session can call a function of pgmq.$$;
