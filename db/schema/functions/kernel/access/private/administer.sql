create or replace function tasker.administer(p_actor text, p_reason text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_call text := tasker.calling_function();
begin
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 1000);
  -- Keep an entry for each function that the transaction has called, so that a function keeps its own entry if it calls
  -- another function.
  perform set_config('tasker.act', concat_ws(
    chr(30),
    (
      select string_agg(e.act, chr(30))
        from string_to_table(current_setting('tasker.act', true), chr(30)) as e (act)
       where split_part(e.act, chr(31), 1) <> v_call
    ),
    concat_ws(chr(31), v_call, coalesce(p_actor, ''), translate(p_reason, chr(30) || chr(31), ''))
  ), true);
end;
$$;

comment on function tasker.administer is
$$Records the actor and the reason of a change, for the entries that the calling function writes into tasker.administration_log. Every public function with p_actor and p_reason that changes an object outside of tasks calls this function first, so no entry has the reason of an earlier call. Raises TK413 or TK422 for a name or a reason that cannot be stored.$$;
