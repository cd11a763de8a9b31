create or replace function tasker.is_permanent(p_code text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_code in ('TK403', 'TK404', 'TK410', 'TK413', 'TK422') or starts_with(p_code, '22');
end;

comment on function tasker.is_permanent is
$$Returns whether a step whose function raises this SQLSTATE fails for good: the refusals TK403, TK404, TK410, TK413 and TK422, and PostgreSQL's class 22 (data exceptions). After any other error the step's retry policy decides.$$;
