-- docs/errors.md lists the codes; a message without one could not be told from a defect.
begin;
select plan(2);

-- Every "raise exception" against those that go on with "using errcode = 'TK…'".
prepare uncoded as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and (select count(*) from regexp_matches(p.prosrc, '\mraise\s+(exception|sqlstate|[a-z_]*_error)\M', 'gi'))
         <> (select count(*) from regexp_matches(p.prosrc, '\mraise\s+exception\s+using\s+errcode\s+=\s+''TK\d{3}''', 'g'));

select is_empty('uncoded', 'every exception that a function raises has a code of class TK');

create function tasker.uncoded() returns integer language plpgsql as $$ begin raise exception 'something went wrong'; end; $$;
select results_eq('uncoded', $$ values ('tasker.uncoded()'::regprocedure) $$, 'one that has none is found');

select * from finish();
rollback;
