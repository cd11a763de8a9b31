create or replace function tasker.is_sealed_error(p_error text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select starts_with(p_error, 'pgtasker: ')
      or p_error ~ '^encrypted [^\n]{1,250}\nDETAIL: [{]"pgtasker": ?[{][^\n]*[}][}]$';
end;

comment on function tasker.is_sealed_error is
$$Returns true if the text of an error has the encrypted form that clients with a key write: the class of the error and a keyed hash in the first line, the envelope in the second line. Also returns true for errors of the clients themselves, which begin with "pgtasker: " and contain no payload.$$;
