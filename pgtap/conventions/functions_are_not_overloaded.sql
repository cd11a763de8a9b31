begin;
select plan(2);

prepare overloaded as
  select format('%s.%s', p.pronamespace::regnamespace, p.proname)
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
   group by p.pronamespace, p.proname
  having count(*) > 1;

select is_empty('overloaded', 'no two functions share a name: a new argument comes last, with a default');

create function tasker.clock(p_at timestamptz) returns timestamptz language sql as 'select p_at';
select set_eq('overloaded', array['tasker.clock'], 'a second function of the same name is found');

select * from finish();
rollback;
