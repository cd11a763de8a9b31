create or replace function tasker.condition_error(p_condition text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bare text;
begin
  -- Without its string literals, keys and names, so that what looks like syntax in them is not seen.
  v_bare := regexp_replace(p_condition::jsonpath::text, '"([^"\\]|\\.)*"', '""', 'g');
  return case
    when v_bare like '%$""%' then 'It names a variable, and there are none.'
    when v_bare like '%.datetime(%' then 'It uses datetime(), which may fail for the results of a later day.'
    when v_bare like '%.**%.**%' then 'It uses .** twice, which may need more memory than there is.'
  end;
exception when syntax_error or invalid_text_representation or invalid_regular_expression
  or datatype_mismatch or feature_not_supported or numeric_value_out_of_range or statement_too_complex
  or untranslatable_character or invalid_escape_sequence then
  return sqlerrm;
end;
$$;

comment on function tasker.condition_error(text) is
$$Why a text cannot be the condition of an edge; null if it can, and for null.

Variables, datetime() and a second .** are refused: evaluating them can raise an error, and a condition must be true or false for whatever results a worker sends.$$;

revoke all on function tasker.condition_error(text) from public;
