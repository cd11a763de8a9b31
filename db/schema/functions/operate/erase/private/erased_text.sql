create or replace function tasker.erased_text(p_text text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_text is not null then 'erased' end;
end;

comment on function tasker.erased_text is
$$Returns a text after an erasure: the word "erased", or null.$$;
