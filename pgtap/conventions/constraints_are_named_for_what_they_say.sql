-- <table>_<columns or fact>_<kind>: the name of the constraint is all that an error shows of it. Partitions are left out,
-- because PostgreSQL derives the names of their constraints.
begin;
select plan(4);

prepare misnamed_constraints as
  select format('%s: %s', k.conrelid::regclass, k.conname)
    from pg_constraint as k
    join pg_class as c on c.oid = k.conrelid
   where k.connamespace::regnamespace::text in ('tasker', 'tasklib')
     and not c.relispartition
     and k.contype in ('p', 'u', 'f', 'c', 'x')
     and k.conname !~ format('^%s%s%s$', c.relname, case when k.contype = 'p' then '' else '(_[a-z]+)+' end, case k.contype
           when 'p' then '_pkey'
           when 'u' then '_key'
           when 'f' then '_fkey'
           when 'c' then '_check'
           when 'x' then '_excl'
         end);

prepare misnamed_indexes as
  select format('%s: %s', i.indrelid::regclass, c.relname)
    from pg_index as i
    join pg_class as c on c.oid = i.indexrelid
    join pg_class as t on t.oid = i.indrelid
   where t.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and not t.relispartition
     and not exists (select from pg_constraint as k where k.conindid = c.oid)
     and c.relname !~ format('^%s(_[a-z]+)+%s$', t.relname, case when i.indisunique then '_key' else '_idx' end);

select is_empty('misnamed_constraints', 'every constraint is named for its table, what it says and its kind');
select is_empty('misnamed_indexes', 'every index is named for its table, its purpose and its kind');

create table tasker.misnamed (
  a integer,
  b integer,
  check (a > b),
  constraint misnamed_b_check check (b > 1),
  constraint unique_a unique (a)
);
create index misnamed_b_idx on tasker.misnamed (b);
create index on tasker.misnamed (b);

select set_eq(
  'misnamed_constraints',
  array['tasker.misnamed: misnamed_check', 'tasker.misnamed: unique_a'],
  'a constraint with a wrong name is found'
);
select set_eq(
  'misnamed_indexes',
  array['tasker.misnamed: misnamed_b_idx1'], 'an index with a generated number in its name is found'
);

select * from finish();
rollback;
