-- Without an index, a change of the referenced row reads the whole referencing table.
begin;
select plan(2);

prepare unserved as
  select format('%s: %s', k.conrelid::regclass, k.conname)
    from pg_constraint as k
   where k.contype = 'f'
     and k.connamespace::regnamespace::text in ('tasker', 'tasklib')
     and not exists (
       select
         from pg_index as i
        where i.indrelid = k.conrelid
          and i.indpred is null
          and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
     );

select is_empty('unserved', 'every foreign key has an index that begins with its columns');

create table tasker.unserved (
  a integer,
  task_namespace_uuid uuid,
  constraint unserved_fkey foreign key (task_namespace_uuid) references tasker.task_namespaces (task_namespace_uuid)
);
create index on tasker.unserved (a, task_namespace_uuid);
select set_eq('unserved', array['tasker.unserved: unserved_fkey'], 'a foreign key whose index only ends with its columns is found');

select * from finish();
rollback;
