-- docs/errors.md lists the codes. An error without one looks like a defect.
begin;
select plan(3);

-- Compares every "raise exception" with those that continue with "using errcode = 'TK…'". A function of a CHECK
-- constraint, or of a trigger that stands for one, raises check_violation, as the constraint would.
prepare uncoded as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and (select count(*) from regexp_matches(p.prosrc, '\mraise\s+(exception|sqlstate|[a-z_]*_error)\M', 'gi'))
         <> (select count(*) from regexp_matches(p.prosrc, '\mraise\s+exception\s+using\s+errcode\s+=\s+''TK\d{3}''', 'g'))
          + case when p.prorettype = 'trigger'::regtype or p.oid in (select d.refobjid
                                  from pg_constraint as c
                                  join pg_depend as d on d.classid = 'pg_constraint'::regclass and d.objid = c.oid
                                 where c.contype = 'c'
                                   and d.refclassid = 'pg_proc'::regclass)
              then (select count(*) from regexp_matches(p.prosrc, '\mraise\s+exception\s+using\s+errcode\s+=\s+''23514''', 'g'))
              else 0
            end;

select is_empty('uncoded', 'every exception that a function raises has a code of class TK');

select is_empty(
  $$
  select p.oid::regprocedure, left(m[1], 100)
    from pg_proc as p
   cross join lateral regexp_matches(p.prosrc, 'raise\s+exception\s+using(.*?);\n', 'g') as m
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and m[1] ~ 'errcode += ''TK'
     and m[1] !~ '\mhint +='
  $$,
  'every exception of class TK has a hint'
);

create function tasker.uncoded() returns integer language plpgsql as $$ begin raise exception 'something went wrong'; end; $$;
select results_eq('uncoded', $$ values ('tasker.uncoded()'::regprocedure) $$, 'an exception without a code is found');

select * from finish();
rollback;
