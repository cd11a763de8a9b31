create or replace function tasker.check_sealed_contexts(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
declare
  v_clear   text[] := array(select jsonb_array_elements_text(p_schema #> '{encrypted,clear}'));
  v_context jsonb;
begin
  foreach v_context in array p_contexts loop
    if not tasker.is_sealed(v_context) or v_context - 'pgtasker'::text - v_clear <> '{}' then
      raise exception using
        errcode = 'TK422',
        message = format('pgtasker: task "%s": the context is not encrypted', p_task),
        detail  = case when tasker.is_sealed(v_context)
          then 'A field beside the ciphertext is none of those that the template has in the clear.'
          else 'The template says that its payloads are encrypted before they leave the client.' end,
        hint    = format('Create the task with a client that has a codec. Fields in the clear: %s.', coalesce(nullif(array_to_string(v_clear, ', '), ''), 'none'));
    end if;
  end loop;
end;
$$;

comment on function tasker.check_sealed_contexts is
$$Raises TK422 for a context that is not encrypted, or has a field in the clear that the template does not name.$$;
