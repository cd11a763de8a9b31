create or replace function tasker.discard_result_messages(p_limit integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.queue_exists('orchestration_step_results') then
    perform tasker.queue_table('orchestration_step_results');
    perform pgmq.delete('orchestration_step_results', array(
      select m.msg_id from pgmq.read('orchestration_step_results', 30, p_limit) as m
    ));
  end if;
end;
$$;

comment on function tasker.discard_result_messages is
$$Deletes up to p_limit messages of orchestration_step_results, which announced recorded results. No result is lost, because the rows of tasker.step_queue decide which results are processed.$$;
