create or replace function tasker.function_on_stack(p_stack text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_head text := left(p_stack, strpos(p_stack, 'tasker.calling_function(') - 1); -- begins a line that names a function
  v_line text;
  v_text text[];
begin
  -- Regular expressions cost much more here than these comparisons.
  foreach v_line in array (string_to_array(p_stack, chr(10)))[2:] loop
    if starts_with(v_line, v_head) then
      v_text := string_to_array(split_part(substr(v_line, length(v_head) + 1), '(', 1), '.');
    else
      -- The name of a function in SQL stands in the quotation marks of the language of the messages. The texts of most
      -- statements have brackets.
      continue when strpos(v_line, 'SQL') = 0 or strpos(v_line, '(') > 0;
      v_text := string_to_array(translate(v_line, '«»„“”「」', '"""""""'), '"');
      continue when strpos(v_text[1], 'SQL') = 0;
      v_text := array['tasker', btrim(v_text[2], ' ' || chr(160))];
    end if;
    if v_text[1] in ('tasker', 'tasklib')
       and exists (select from pg_proc as p where p.proname = v_text[2] and p.pronamespace = to_regnamespace(v_text[1]) and p.prosecdef) then
      return case v_text[1] when 'tasklib' then 'tasklib.' else '' end || v_text[2];
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.function_on_stack is
$$Returns the innermost public function in a call stack of tasker.calling_function, or null if the stack has no public function. The stack is in the language of the server's messages (lc_messages). Its first line shows how a line names a function in that language.$$;
