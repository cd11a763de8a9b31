create or replace function tasker.check_inputs(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
declare
  v_no      integer := 0;
  v_context jsonb;
  v_problem text;
begin
  foreach v_context in array p_contexts loop
    v_no := v_no + 1;
    v_problem := tasker.payload_problem(p_schema, v_context, 'context');
    if v_problem is not null then
      raise exception using
        errcode = 'TK422',
        message = format('task "%s": %s', p_task, left(v_problem, 500)),
        detail  = format('Context number %s does not fit the schema of the template''s input.', v_no),
        hint    = 'The field input_schema of the template says what a context must have: tasker.get_task_template() returns it.';
    end if;
  end loop;
end;
$$;

comment on function tasker.check_inputs is
$$Raises TK422 for the first context that does not fit the input schema of its template. The message names the part that does not fit.$$;
