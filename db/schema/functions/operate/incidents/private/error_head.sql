create or replace function tasker.error_head(p_error text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_error ~ '^\s*Traceback \(most recent' then
      regexp_replace(rtrim(right(p_error, 1024)), '^.*\n(?=[A-Za-z_][\w.]*(:|$))', '')
    else
      regexp_replace(
        left(p_error, 2048),
        '(\n\s+at [^\n]*|\n\s*goroutine \d|\n\s+File "|\n\s*(DETAIL|CONTEXT|HINT|QUERY|LINE \d+|Stack|STATEMENT)[ :]|\nCaused by:|\n\s*[Ff]or (further|more) information|\n\s*\[debug).*$',
        ''
      )
  end;
end;

comment on function tasker.error_head is
$$Returns the informative part of an error. The informative part is the last line of a Python traceback, otherwise the
text before a stack or details. Reads at most 2,048 characters.$$;
