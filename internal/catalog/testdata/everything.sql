-- One of each kind of object that a snapshot describes.
create schema tasker;
comment on schema tasker is 'a schema';

create type tasker.state as enum ('open', 'done');
create type tasker.point as (x integer, y integer);
create type tasker.span as range (subtype = integer);
create domain tasker.name as text default 'nobody' constraint name_check check (value <> '');
create sequence tasker.counter;

create function tasker.twice(p_number integer default 1)
  returns integer
  language sql
  immutable
begin atomic
  select p_number * 2;
end;

create procedure tasker.nothing()
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  null;
end;
$$;

create aggregate tasker.total(integer) (sfunc = int4pl, stype = integer, initcond = '0');

create function tasker.refuse()
  returns trigger
  language plpgsql
as $$
begin
  return null;
end;
$$;

create table tasker.parents (
  id    integer  not null  generated always as identity,
  name  text     collate "C",
  half  integer  generated always as (id / 2) stored,

  constraint parents_pkey
    primary key (id)
);

create table tasker.items (
  id         bigint        not null,
  parent_id  integer,
  state      tasker.state  not null  default 'open',
  made_at    timestamptz   not null  default '2026-01-01 00:00:00+00',

  constraint items_pkey
    primary key (id),
  constraint items_parent_id_fkey
    foreign key (parent_id) references tasker.parents (id)
) partition by range (id);

create table tasker.items_low partition of tasker.items for values from (0) to (1000) partition by range (id);
create table tasker.items_low_1 partition of tasker.items_low for values from (0) to (500);
create table tasker.items_high partition of tasker.items for values from (1000) to (2000);

create table tasker.notes (
  item_id  bigint,

  constraint notes_item_id_fkey
    foreign key (item_id) references tasker.items (id)
);

create index items_state_idx on tasker.items (state) where state = 'open';
create trigger items_refuse before delete on tasker.items for each row execute function tasker.refuse();
create statistics tasker.parents_statistics on id, name from tasker.parents;
create rule parents_keep as on delete to tasker.parents do instead nothing;
create policy parents_read on tasker.parents for select using (id > 0);
create view tasker.open_items as select i.id from tasker.items as i where i.state = 'open';
create materialized view tasker.item_counts as select count(*) as items from tasker.items as i;
alter default privileges in schema tasker grant select on tables to pg_monitor;

create table public.elsewhere ();
